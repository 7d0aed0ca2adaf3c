// SPDX-License-Identifier: Apache-2.0
//
// CipherContext: one cipher with its key set. An operation resets the IV and nothing else. One
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sealane/base/result.h"
#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

class CipherContext {
 public:
  // `params` stays where it is as long as the context is used. Fails if memory runs out.
  static Result<CipherContext> Create(const CipherParams& params, const evp_cipher_st* cipher);

  // One whole operation. `len` is IsValidPayloadLen and not 0; `in` and `out` are the same or do
  // not overlap. False if OpenSSL fails, with its error left in the queue.
  bool Crypt(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in, uint8_t* out, size_t len);

 private:
  CipherContext(const CipherParams& params, EvpContextPtr context);
  bool CryptWithEvp(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in, uint8_t* out,
                    size_t len);

  const CipherParams* params_;
  EvpContextPtr context_;
  // Copies of what every operation asks for, next to each other.
  CipherAlgorithm algorithm_;
  bool has_iv_;
};

}  // namespace sealane::crypto
