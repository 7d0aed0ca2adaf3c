// SPDX-License-Identifier: Apache-2.0
//
// EvpBaseline: what the device is compared with: OpenSSL's EVP in this thread, used as well as it
// can be: the cipher fetched once, one context, the key set once, only the IV reset per request, in
// place. Shares no code with our engine, so that it can also check the device's answers. One
// thread.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cipher_names.h"
#include "command_result.h"

namespace sealane::cli {

class EvpBaseline {
 public:
  static CommandResult<EvpBaseline> Create(const Cipher& cipher, std::span<const uint8_t> key);

  // One request, in place: `data` is of a length that the cipher takes, `iv` of the cipher's.
  // Returns whether OpenSSL did it.
  [[nodiscard]] bool Encrypt(std::span<const uint8_t> iv, std::span<uint8_t> data);

 private:
  struct Deleter {
    void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };

  explicit EvpBaseline(const Cipher& cipher);
  bool EncryptTripleDesCtr(std::span<const uint8_t> iv, std::span<uint8_t> data);

  std::unique_ptr<EVP_CIPHER, Deleter> cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, Deleter> context_;
  bool triple_des_ctr_ = false;
  bool has_iv_ = false;
  std::vector<uint8_t> key_stream_;  // 3des-ctr only
};

}  // namespace sealane::cli
