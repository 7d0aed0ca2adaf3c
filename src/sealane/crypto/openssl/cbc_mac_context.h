// SPDX-License-Identifier: Apache-2.0
//
// CbcMacContext: CBC-MAC (the last block of a CBC encryption with a zero IV) and XCBC
// (RFC 3566, section 4), composed of EVP's CBC calls, because OpenSSL has neither. A plain CBC-MAC
// takes whole blocks, at least one. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sealane/crypto/openssl/digest_context.h"

namespace sealane::crypto {

class CbcMacContext final : public DigestContext {
 public:
  // `cbc`: AES-CBC for the key's length.
  static Result<std::unique_ptr<DigestContext>> Create(const MacParams& params,
                                                       const evp_cipher_st* cbc);
  ~CbcMacContext() override;

  bool Begin() override;
  bool Update(std::span<const uint8_t> bytes) override;
  bool Finish(std::span<uint8_t> result) override;

 private:
  static constexpr size_t kBlockLen = 16;
  using Block = std::array<uint8_t, kBlockLen>;

  CbcMacContext(EvpContextPtr context, bool is_xcbc);
  // K1, K2 and K3 of RFC 3566, K1 as the context's key.
  bool DeriveKeys(const evp_cipher_st* cbc);
  // Whole blocks into the chain.
  bool Absorb(std::span<const uint8_t> blocks);

  const EvpContextPtr context_;
  const bool is_xcbc_;
  Block whole_key_{};    // XCBC's K2: for a last block that is whole
  Block partial_key_{};  // XCBC's K3: for one that is padded
  Block chain_{};        // the last block encrypted
  Block pending_{};      // bytes not yet absorbed; the last block always waits for Finish
  size_t num_pending_ = 0;
};

}  // namespace sealane::crypto
