// SPDX-License-Identifier: Apache-2.0
//
// Counter mode (NIST SP 800-38A, 6.5) for Triple DES, composed of EVP block calls, because OpenSSL
// has none. The whole block is the counter, big-endian, and it wraps from all ones to zero, as in
// Linux's ctr(des3_ede). Encryption and decryption are the same. A pure function of its arguments;
// the context is used by one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sealane/crypto/openssl/evp_handle.h"

namespace sealane::crypto {

inline constexpr size_t kDesBlockLen = 8;
using DesBlock = std::array<uint8_t, kDesBlockLen>;

// `ecb` is a DES-EDE3-ECB context that encrypts, without padding. `in` and `out` are the same or do
// not overlap. False if OpenSSL fails, with its error left in the queue.
bool CryptDes3Ctr(evp_cipher_ctx_st* ecb, const DesBlock& first_counter, const uint8_t* in,
                  uint8_t* out, size_t len);

}  // namespace sealane::crypto
