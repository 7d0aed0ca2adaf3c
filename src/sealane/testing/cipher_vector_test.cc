// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/cipher_vector.h"

#include <gtest/gtest.h>

namespace sealane::testing {
namespace {

CipherVector Make(const char* algorithm, size_t key_len, size_t iv_len, size_t data_len) {
  return {.algorithm = algorithm,
          .key = Bytes(key_len, 1),
          .iv = Bytes(iv_len, 2),
          .plaintext = Bytes(data_len, 3),
          .ciphertext = Bytes(data_len, 4),
          .encrypt = true,
          .decrypt = true,
          .origin = {}};
}

TEST(CipherName, KnownKeyLengths_AreNamed) {
  EXPECT_EQ(CipherName("aes", "ecb", 16), "aes-128-ecb");
  EXPECT_EQ(CipherName("aes", "cbc", 24), "aes-192-cbc");
  EXPECT_EQ(CipherName("aes", "ctr", 32), "aes-256-ctr");
  EXPECT_EQ(CipherName("aes", "xts", 32), "aes-128-xts");
  EXPECT_EQ(CipherName("aes", "xts", 64), "aes-256-xts");
  EXPECT_EQ(CipherName("3des", "ctr", 24), "3des-ctr");
}

TEST(CipherName, OtherKeyLengths_AreRefused) {
  EXPECT_EQ(CipherName("aes", "ecb", 17), std::nullopt);
  EXPECT_EQ(CipherName("aes", "xts", 48), std::nullopt);
  EXPECT_EQ(CipherName("3des", "cbc", 16), std::nullopt);
}

TEST(CipherName, OtherFamiliesAndModes_AreRefused) {
  EXPECT_EQ(CipherName("aria", "ecb", 16), std::nullopt);
  EXPECT_EQ(CipherName("aes", "ofb", 16), std::nullopt);
  EXPECT_EQ(CipherName("3des", "xts", 24), std::nullopt);
}

TEST(ExpandTripleDesKey, OneTwoThreeKeys_Repeats) {
  const Bytes one = {1, 2, 3, 4, 5, 6, 7, 8};
  const Bytes two = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  EXPECT_EQ(ExpandTripleDesKey(one),
            Bytes({1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(ExpandTripleDesKey(two),
            Bytes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(ExpandTripleDesKey(Bytes(24, 7)), Bytes(24, 7));
}

TEST(ExpandTripleDesKey, OtherLengths_AreRefused) {
  for (const size_t len : {0U, 7U, 9U, 23U, 25U, 32U}) {
    EXPECT_EQ(ExpandTripleDesKey(Bytes(len, 7)), std::nullopt) << len;
  }
}

TEST(CheckCipherVector, GoodLengths_Passes) {
  EXPECT_EQ(CheckCipherVector(Make("aes-128-ecb", 16, 0, 32)), std::nullopt);
  EXPECT_EQ(CheckCipherVector(Make("aes-128-cbc", 16, 16, 16)), std::nullopt);
  EXPECT_EQ(CheckCipherVector(Make("aes-128-ctr", 16, 16, 3)), std::nullopt);
  EXPECT_EQ(CheckCipherVector(Make("aes-128-xts", 32, 16, 17)), std::nullopt);
  EXPECT_EQ(CheckCipherVector(Make("3des-cbc", 24, 8, 8)), std::nullopt);
  EXPECT_EQ(CheckCipherVector(Make("3des-ctr", 24, 8, 1)), std::nullopt);
}

TEST(CheckCipherVector, BadLengths_AreNamed) {
  CipherVector uneven = Make("aes-128-ctr", 16, 16, 16);
  uneven.ciphertext.pop_back();
  EXPECT_EQ(CheckCipherVector(uneven), "plaintext and ciphertext differ in length");
  EXPECT_EQ(CheckCipherVector(Make("aes-128-ctr", 16, 16, 0)), "no data");
  EXPECT_EQ(CheckCipherVector(Make("aes-128-cbc", 16, 8, 16)), "the IV has the wrong length");
  EXPECT_EQ(CheckCipherVector(Make("3des-cbc", 24, 16, 16)), "the IV has the wrong length");
  EXPECT_EQ(CheckCipherVector(Make("3des-ecb", 24, 8, 16)), "the IV has the wrong length");
  EXPECT_EQ(CheckCipherVector(Make("aes-128-cbc", 16, 16, 24)), "the data are not whole blocks");
  EXPECT_EQ(CheckCipherVector(Make("3des-ecb", 24, 0, 7)), "the data are not whole blocks");
  EXPECT_EQ(CheckCipherVector(Make("aes-256-xts", 64, 16, 15)),
            "the data are shorter than a block");
}

TEST(HasEqualXtsHalves, OnlyXtsWithEqualHalves_IsTrue) {
  CipherVector vector = Make("aes-128-xts", 32, 16, 16);
  EXPECT_TRUE(HasEqualXtsHalves(vector));
  vector.key.back() = 0;
  EXPECT_FALSE(HasEqualXtsHalves(vector));
  EXPECT_FALSE(HasEqualXtsHalves(Make("aes-256-cbc", 32, 16, 16)));
}

TEST(ReadVectorText, MissingFile_IsNamed) {
  const auto text = ReadVectorText("no-such-file.rsp");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error(), "no-such-file.rsp: cannot be read");
}

}  // namespace
}  // namespace sealane::testing
