// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/algorithm.h"

#include <array>

namespace sealane::crypto {
namespace {

// In the order of the enumeration.
constexpr std::array<CipherTraits, kNumCipherAlgorithms> kTraits = {{
    {.name = "aes-ecb", .block_len = 16, .iv_len = 0, .min_len = 16},
    {.name = "aes-cbc", .block_len = 16, .iv_len = 16, .min_len = 16},
    {.name = "aes-ctr", .block_len = 1, .iv_len = 16, .min_len = 1},
    // Ciphertext stealing takes any length from one block on.
    {.name = "aes-xts", .block_len = 1, .iv_len = 16, .min_len = 16},
    {.name = "3des-ecb", .block_len = 8, .iv_len = 0, .min_len = 8},
    {.name = "3des-cbc", .block_len = 8, .iv_len = 8, .min_len = 8},
    {.name = "3des-ctr", .block_len = 1, .iv_len = 8, .min_len = 1},
}};

}  // namespace

const CipherTraits& Traits(CipherAlgorithm algorithm) {
  return kTraits[static_cast<size_t>(algorithm)];
}

bool IsValidKeyLen(CipherAlgorithm algorithm, size_t key_len) {
  switch (algorithm) {
    case CipherAlgorithm::kAesEcb:
    case CipherAlgorithm::kAesCbc:
    case CipherAlgorithm::kAesCtr:
      return key_len == 16 || key_len == 24 || key_len == 32;
    case CipherAlgorithm::kAesXts:
      return key_len == 32 || key_len == 64;
    case CipherAlgorithm::kDes3Ecb:
    case CipherAlgorithm::kDes3Cbc:
    case CipherAlgorithm::kDes3Ctr:
      return key_len == 24;
  }
  return false;
}

bool IsValidPayloadLen(CipherAlgorithm algorithm, uint64_t len) {
  const CipherTraits& traits = Traits(algorithm);
  if (len == 0) return true;
  return len >= traits.min_len && len <= kMaxPayload && len % traits.block_len == 0;
}

}  // namespace sealane::crypto
