// SPDX-License-Identifier: Apache-2.0
//
// FetchedAlgorithms: everything that we use of OpenSSL, fetched once. A fetch takes locks and
// searches by name, so none happens later. What the machine's OpenSSL lacks is not offered, which
// is no failure. Owned by the engine, immutable; any thread.
#pragma once

#include <array>
#include <cstddef>

#include "sealane/base/result.h"
#include "sealane/crypto/engine.h"
#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/openssl/library_context.h"

namespace sealane::crypto {

// What a MAC is made with: the EVP_MAC, or the cipher that it is composed of.
struct FetchedMac {
  const evp_mac_st* mac = nullptr;
  const char* mac_param = nullptr;        // the name of the MAC's digest or cipher
  const evp_cipher_st* cipher = nullptr;  // GMAC: GCM; CBC-MAC and XCBC: CBC

  bool is_there() const { return mac != nullptr || cipher != nullptr; }
};

class FetchedAlgorithms {
 public:
  static Result<FetchedAlgorithms> Create(bool enable_legacy);

  const EngineCaps& caps() const { return caps_; }
  ossl_lib_ctx_st* library() const { return library_.get(); }

  // For a valid key length of an algorithm that is offered. For kDes3Ctr it is the block cipher
  // (ECB) that des3_ctr.h builds upon.
  const evp_cipher_st* Find(CipherAlgorithm algorithm, size_t key_len) const;
  const evp_cipher_st* Find(AeadAlgorithm algorithm, size_t key_len) const;
  const evp_md_st* Find(HashAlgorithm algorithm) const {
    return digests_[static_cast<size_t>(algorithm)].get();
  }
  FetchedMac Find(MacAlgorithm algorithm, size_t key_len) const;

 private:
  static constexpr size_t kNumCiphers = 17;
  static constexpr size_t kNumAeads = 7;

  explicit FetchedAlgorithms(LibraryContext library);
  void SetCaps();

  LibraryContext library_;  // the last to go
  std::array<EvpCipherPtr, kNumCiphers> ciphers_;
  std::array<EvpCipherPtr, kNumAeads> aeads_;
  std::array<EvpDigestPtr, kNumHashAlgorithms> digests_;
  EvpMacPtr hmac_;
  EvpMacPtr cmac_;
  EngineCaps caps_{.name = "openssl"};
};

}  // namespace sealane::crypto
