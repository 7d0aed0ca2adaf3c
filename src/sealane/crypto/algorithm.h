// SPDX-License-Identifier: Apache-2.0
//
// The algorithms that an engine may offer, by service, with their fixed numbers: what virtio-crypto
// names (virtio 1.3, 5.9.5) and a library here has. A cipher's key length picks AES-128, -192 or
// -256. Pure data; any thread.
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
  kDesEcb,  // weak
  kDesCbc,  // weak
  kArc4,    // weak; every operation begins the key stream anew
  kKasumiF8,
  kSnow3gUea2,
  kZucEea3,
};
inline constexpr size_t kNumCipherAlgorithms = 13;

enum class HashAlgorithm : uint8_t {
  kMd5,
  kSha1,
  kSha224,
  kSha256,
  kSha384,
  kSha512,
  kSha3_224,
  kSha3_256,
  kSha3_384,
  kSha3_512,
  kShake128,
  kShake256,
};
inline constexpr size_t kNumHashAlgorithms = 12;

enum class MacAlgorithm : uint8_t {
  kHmacMd5,
  kHmacSha1,
  kHmacSha224,
  kHmacSha256,
  kHmacSha384,
  kHmacSha512,
  kCmacDes3,
  kCmacAes,
  kKasumiF9,
  kSnow3gUia2,
  kGmacAes,
  kCbcMacAes,  // of whole blocks
  kXcbcAes,    // RFC 3566
  kZucEia3,
};
inline constexpr size_t kNumMacAlgorithms = 14;

enum class AeadAlgorithm : uint8_t { kAesGcm, kAesCcm, kChaCha20Poly1305 };
inline constexpr size_t kNumAeadAlgorithms = 3;

enum class AkcipherAlgorithm : uint8_t { kRsa, kEcdsa };
inline constexpr size_t kNumAkcipherAlgorithms = 2;

enum class Direction : uint8_t { kEncrypt, kDecrypt };

inline constexpr size_t kMaxIvLen = 16;
inline constexpr size_t kMaxCipherKeyLen = 64;
inline constexpr size_t kMaxAuthKeyLen = 512;
inline constexpr size_t kMaxAkcipherKeyLen = 8192;  // bytes of DER
inline constexpr size_t kMaxTagLen = 64;            // of an AEAD's tag, or of a chain's digest
inline constexpr size_t kMaxResultLen = 4096;       // of a SHAKE's; others have less
inline constexpr size_t kMaxRsaBits = 8192;

// Bytes of one operation's payload, for every service. The bound is that of XTS, whose data unit
// may not be longer than 2^20 blocks (NIST SP 800-38E).
inline constexpr uint64_t kMaxPayload = uint64_t{1} << 24;
// The same for asymmetric operations, whose results are at most 1024 bytes long.
inline constexpr uint64_t kMaxAkcipherPayload = uint64_t{1} << 16;

struct CipherTraits {
  std::string_view name;  // "aes-cbc"
  size_t block_len;       // bytes; a stream mode has 1
  size_t iv_len;          // bytes; exactly this many
  size_t min_len;         // bytes; the shortest payload that is not empty
  bool is_weak = false;   // offered only where somebody asked for it
};
const CipherTraits& Traits(CipherAlgorithm algorithm);

struct HashTraits {
  std::string_view name;  // "sha256"
  size_t digest_len;      // bytes; 0: any length, as asked for
};
const HashTraits& Traits(HashAlgorithm algorithm);

struct MacTraits {
  std::string_view name;  // "hmac-sha256"
  size_t mac_len;         // bytes of the whole MAC; a shorter result is its beginning
  size_t iv_len = 0;      // bytes at the front of the payload that are the IV (ADR 11)
  size_t block_len = 1;   // the rest is a multiple of it
};
const MacTraits& Traits(MacAlgorithm algorithm);

struct AeadTraits {
  std::string_view name;  // "aes-gcm"
  size_t min_iv_len;      // bytes
  size_t max_iv_len;
};
const AeadTraits& Traits(AeadAlgorithm algorithm);

std::string_view Name(AkcipherAlgorithm algorithm);  // "rsa"

// Whether `key_len` bytes are a key of this algorithm.
bool IsValidKeyLen(CipherAlgorithm algorithm, size_t key_len);
bool IsValidKeyLen(MacAlgorithm algorithm, size_t key_len);
bool IsValidKeyLen(AeadAlgorithm algorithm, size_t key_len);

// Whether a session may ask for `result_len` bytes of digest, MAC or tag.
bool IsValidResultLen(HashAlgorithm algorithm, size_t result_len);
bool IsValidResultLen(MacAlgorithm algorithm, size_t result_len);
bool IsValidResultLen(AeadAlgorithm algorithm, size_t result_len);

// Whether the cipher is defined for a payload of `len` bytes. An empty payload is always fine (and
// does nothing).
bool IsValidPayloadLen(CipherAlgorithm algorithm, uint64_t len);
// The same for a MAC's payload, IV included. An empty message has a MAC, except that one which
// takes whole blocks takes at least one.
bool IsValidPayloadLen(MacAlgorithm algorithm, uint64_t len);

}  // namespace sealane::crypto
