// SPDX-License-Identifier: Apache-2.0
//
// The symmetric ciphers that an engine may offer, with their fixed numbers. One row per cipher; the
// key length picks AES-128, -192 or -256. Pure data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sealane::crypto {

enum class CipherAlgorithm : uint8_t {
  kAesEcb,
  kAesCbc,
  kAesCtr,
  kAesXts,  // the key is two AES keys, one after the other
  kDes3Ecb,
  kDes3Cbc,
  kDes3Ctr,
};
inline constexpr size_t kNumCipherAlgorithms = 7;

enum class Direction : uint8_t { kEncrypt, kDecrypt };

inline constexpr size_t kMaxIvLen = 16;
inline constexpr size_t kMaxCipherKeyLen = 64;

// Bytes of one operation's payload, for every cipher. The bound is that of XTS, whose data unit may
// not be longer than 2^20 blocks (NIST SP 800-38E).
inline constexpr uint64_t kMaxPayload = uint64_t{1} << 24;

struct CipherTraits {
  std::string_view name;  // "aes-cbc"
  size_t block_len;       // bytes; a stream mode has 1
  size_t iv_len;          // bytes; exactly this many
  size_t min_len;         // bytes; the shortest payload that is not empty
};
const CipherTraits& Traits(CipherAlgorithm algorithm);

// Whether `key_len` bytes are a key of this cipher.
bool IsValidKeyLen(CipherAlgorithm algorithm, size_t key_len);

// Whether the cipher is defined for a payload of `len` bytes. An empty payload is always fine (and
// does nothing).
bool IsValidPayloadLen(CipherAlgorithm algorithm, uint64_t len);

}  // namespace sealane::crypto
