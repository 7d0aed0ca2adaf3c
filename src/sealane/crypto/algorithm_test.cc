// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/algorithm.h"

#include <gtest/gtest.h>

namespace sealane::crypto {
namespace {

TEST(Algorithm, Traits_FollowTheEnumeration) {
  EXPECT_EQ(Traits(CipherAlgorithm::kAesEcb).name, "aes-ecb");
  EXPECT_EQ(Traits(CipherAlgorithm::kAesXts).name, "aes-xts");
  EXPECT_EQ(Traits(CipherAlgorithm::kDes3Ctr).name, "3des-ctr");
}

TEST(Algorithm, KeyLengths_OnlyThoseOfTheCipher) {
  for (size_t len = 0; len <= 65; ++len) {
    EXPECT_EQ(IsValidKeyLen(CipherAlgorithm::kAesCbc, len), len == 16 || len == 24 || len == 32);
    EXPECT_EQ(IsValidKeyLen(CipherAlgorithm::kAesXts, len), len == 32 || len == 64);
    EXPECT_EQ(IsValidKeyLen(CipherAlgorithm::kDes3Cbc, len), len == 24);
  }
}

TEST(Algorithm, PayloadLengths_BlockModesNeedWholeBlocks) {
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesCbc, 0));
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesCbc, 16));
  EXPECT_FALSE(IsValidPayloadLen(CipherAlgorithm::kAesCbc, 17));
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kDes3Ecb, 24));
  EXPECT_FALSE(IsValidPayloadLen(CipherAlgorithm::kDes3Ecb, 4));
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesCtr, 1));
}

TEST(Algorithm, PayloadLengths_XtsTakesAnyLengthFromOneBlockOn) {
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesXts, 0));
  EXPECT_FALSE(IsValidPayloadLen(CipherAlgorithm::kAesXts, 15));
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesXts, 17));
  EXPECT_TRUE(IsValidPayloadLen(CipherAlgorithm::kAesXts, kMaxPayload));
  EXPECT_FALSE(IsValidPayloadLen(CipherAlgorithm::kAesXts, kMaxPayload + 1));
}

}  // namespace
}  // namespace sealane::crypto
