// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/algorithm.h"

#include <array>

namespace sealane::crypto {
namespace {

// All tables are in the order of their enumeration.
constexpr std::array<CipherTraits, kNumCipherAlgorithms> kCiphers = {{
    {.name = "aes-ecb", .block_len = 16, .iv_len = 0, .min_len = 16},
    {.name = "aes-cbc", .block_len = 16, .iv_len = 16, .min_len = 16},
    {.name = "aes-ctr", .block_len = 1, .iv_len = 16, .min_len = 1},
    // Ciphertext stealing takes any length from one block on.
    {.name = "aes-xts", .block_len = 1, .iv_len = 16, .min_len = 16},
    {.name = "3des-ecb", .block_len = 8, .iv_len = 0, .min_len = 8},
    {.name = "3des-cbc", .block_len = 8, .iv_len = 8, .min_len = 8},
    {.name = "3des-ctr", .block_len = 1, .iv_len = 8, .min_len = 1},
    {.name = "des-ecb", .block_len = 8, .iv_len = 0, .min_len = 8, .is_weak = true},
    {.name = "des-cbc", .block_len = 8, .iv_len = 8, .min_len = 8, .is_weak = true},
    {.name = "arc4", .block_len = 1, .iv_len = 0, .min_len = 1, .is_weak = true},
    {.name = "kasumi-f8", .block_len = 1, .iv_len = 8, .min_len = 1},
    {.name = "snow3g-uea2", .block_len = 1, .iv_len = 16, .min_len = 1},
    {.name = "zuc-eea3", .block_len = 1, .iv_len = 16, .min_len = 1},
}};

constexpr std::array<HashTraits, kNumHashAlgorithms> kHashes = {{
    {.name = "md5", .digest_len = 16},
    {.name = "sha1", .digest_len = 20},
    {.name = "sha224", .digest_len = 28},
    {.name = "sha256", .digest_len = 32},
    {.name = "sha384", .digest_len = 48},
    {.name = "sha512", .digest_len = 64},
    {.name = "sha3-224", .digest_len = 28},
    {.name = "sha3-256", .digest_len = 32},
    {.name = "sha3-384", .digest_len = 48},
    {.name = "sha3-512", .digest_len = 64},
    {.name = "shake128", .digest_len = 0},
    {.name = "shake256", .digest_len = 0},
}};

constexpr std::array<MacTraits, kNumMacAlgorithms> kMacs = {{
    {.name = "hmac-md5", .mac_len = 16},
    {.name = "hmac-sha1", .mac_len = 20},
    {.name = "hmac-sha224", .mac_len = 28},
    {.name = "hmac-sha256", .mac_len = 32},
    {.name = "hmac-sha384", .mac_len = 48},
    {.name = "hmac-sha512", .mac_len = 64},
    {.name = "cmac-3des", .mac_len = 8},
    {.name = "cmac-aes", .mac_len = 16},
    {.name = "kasumi-f9", .mac_len = 4, .iv_len = 8},
    {.name = "snow3g-uia2", .mac_len = 4, .iv_len = 16},
    {.name = "gmac-aes", .mac_len = 16, .iv_len = 12},
    {.name = "cbcmac-aes", .mac_len = 16, .block_len = 16},
    {.name = "xcbc-aes", .mac_len = 16},
    {.name = "zuc-eia3", .mac_len = 4, .iv_len = 16},
}};

constexpr std::array<AeadTraits, kNumAeadAlgorithms> kAeads = {{
    {.name = "aes-gcm", .min_iv_len = 12, .max_iv_len = 12},
    {.name = "aes-ccm", .min_iv_len = 7, .max_iv_len = 13},
    {.name = "chacha20-poly1305", .min_iv_len = 12, .max_iv_len = 12},
}};

bool IsAesKeyLen(size_t key_len) { return key_len == 16 || key_len == 24 || key_len == 32; }

}  // namespace

const CipherTraits& Traits(CipherAlgorithm algorithm) {
  return kCiphers[static_cast<size_t>(algorithm)];
}

const HashTraits& Traits(HashAlgorithm algorithm) {
  return kHashes[static_cast<size_t>(algorithm)];
}

const MacTraits& Traits(MacAlgorithm algorithm) { return kMacs[static_cast<size_t>(algorithm)]; }

const AeadTraits& Traits(AeadAlgorithm algorithm) { return kAeads[static_cast<size_t>(algorithm)]; }

std::string_view Name(AkcipherAlgorithm algorithm) {
  return algorithm == AkcipherAlgorithm::kRsa ? "rsa" : "ecdsa";
}

bool IsValidKeyLen(CipherAlgorithm algorithm, size_t key_len) {
  switch (algorithm) {
    case CipherAlgorithm::kAesEcb:
    case CipherAlgorithm::kAesCbc:
    case CipherAlgorithm::kAesCtr:
      return IsAesKeyLen(key_len);
    case CipherAlgorithm::kAesXts:
      return key_len == 32 || key_len == 64;
    case CipherAlgorithm::kDes3Ecb:
    case CipherAlgorithm::kDes3Cbc:
    case CipherAlgorithm::kDes3Ctr:
      return key_len == 24;
    case CipherAlgorithm::kDesEcb:
    case CipherAlgorithm::kDesCbc:
      return key_len == 8;
    case CipherAlgorithm::kArc4:
      return key_len >= 5 && key_len <= kMaxCipherKeyLen;
    case CipherAlgorithm::kKasumiF8:
    case CipherAlgorithm::kSnow3gUea2:
    case CipherAlgorithm::kZucEea3:
      return key_len == 16;
  }
  return false;
}

bool IsValidKeyLen(MacAlgorithm algorithm, size_t key_len) {
  switch (algorithm) {
    case MacAlgorithm::kHmacMd5:
    case MacAlgorithm::kHmacSha1:
    case MacAlgorithm::kHmacSha224:
    case MacAlgorithm::kHmacSha256:
    case MacAlgorithm::kHmacSha384:
    case MacAlgorithm::kHmacSha512:
      return key_len >= 1 && key_len <= kMaxAuthKeyLen;
    case MacAlgorithm::kCmacDes3:
      return key_len == 24;
    case MacAlgorithm::kCmacAes:
    case MacAlgorithm::kGmacAes:
    case MacAlgorithm::kCbcMacAes:
      return IsAesKeyLen(key_len);
    case MacAlgorithm::kXcbcAes:
    case MacAlgorithm::kKasumiF9:
    case MacAlgorithm::kSnow3gUia2:
    case MacAlgorithm::kZucEia3:
      return key_len == 16;
  }
  return false;
}

bool IsValidKeyLen(AeadAlgorithm algorithm, size_t key_len) {
  return algorithm == AeadAlgorithm::kChaCha20Poly1305 ? key_len == 32 : IsAesKeyLen(key_len);
}

bool IsValidResultLen(HashAlgorithm algorithm, size_t result_len) {
  const size_t digest_len = Traits(algorithm).digest_len;
  return result_len != 0 && result_len <= (digest_len != 0 ? digest_len : kMaxResultLen);
}

bool IsValidResultLen(MacAlgorithm algorithm, size_t result_len) {
  // A MAC of less than 32 bits protects nothing.
  return result_len >= 4 && result_len <= Traits(algorithm).mac_len;
}

bool IsValidResultLen(AeadAlgorithm algorithm, size_t result_len) {
  switch (algorithm) {
    case AeadAlgorithm::kAesGcm:  // SP 800-38D, 5.2.1.2
      return result_len == 4 || result_len == 8 || (result_len >= 12 && result_len <= 16);
    case AeadAlgorithm::kAesCcm:  // SP 800-38C, A.1
      return result_len >= 4 && result_len <= 16 && result_len % 2 == 0;
    case AeadAlgorithm::kChaCha20Poly1305:  // RFC 8439, 2.8
      return result_len == 16;
  }
  return false;
}

bool IsValidPayloadLen(CipherAlgorithm algorithm, uint64_t len) {
  const CipherTraits& traits = Traits(algorithm);
  if (len == 0) return true;
  return len >= traits.min_len && len <= kMaxPayload && len % traits.block_len == 0;
}

bool IsValidPayloadLen(MacAlgorithm algorithm, uint64_t len) {
  const MacTraits& traits = Traits(algorithm);
  // One that takes whole blocks takes one at least.
  const size_t min_len = traits.block_len == 1 ? traits.iv_len : traits.block_len;
  return len >= min_len && len <= kMaxPayload && (len - traits.iv_len) % traits.block_len == 0;
}

}  // namespace sealane::crypto
