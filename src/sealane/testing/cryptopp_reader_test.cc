// SPDX-License-Identifier: Apache-2.0
//
// The records are those of SP 800-38A, RFC 3602 and IEEE 1619 in Crypto++'s form, so that the tests
// need no fetched file.
#include "sealane/testing/cryptopp_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sealane/base/hex.h"

namespace sealane::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kEcbText[] =
    "AlgorithmType: SymmetricCipher\n"
    "Name: AES/ECB\n"
    "Source: NIST Special Publication 800-38A\n"
    "Plaintext: 6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51\n"
    "Comment: F.1.1 ECB-AES128.Encrypt\n"
    "Key: 2b7e151628aed2a6abf7158809cf4f3c\n"
    "Ciphertext: 3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf\n"
    "Test: Encrypt\n"
    "Key: 8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b\n"
    "Ciphertext: bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef\n"
    "Test: Encrypt\n";

std::string ErrorOf(std::string_view text) {
  const VectorResult result = ParseCryptopp(text, "aes.txt");
  return result ? "accepted" : result.error();
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

TEST(ParseCryptopp, SeveralTestsInASection_KeepEarlierFields_Accepts) {
  const VectorResult result = ParseCryptopp(kEcbText, "aes.txt");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 2U);
  EXPECT_EQ(result->vectors[0].algorithm, "aes-128-ecb");
  EXPECT_EQ(HexEncode(result->vectors[0].key), "2b7e151628aed2a6abf7158809cf4f3c");
  EXPECT_EQ(HexEncode(result->vectors[0].ciphertext),
            "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf");
  EXPECT_EQ(result->vectors[0].origin, "aes.txt:8");
  EXPECT_EQ(result->vectors[1].algorithm, "aes-192-ecb");
  EXPECT_EQ(result->vectors[1].plaintext, result->vectors[0].plaintext);
  EXPECT_EQ(result->vectors[1].origin, "aes.txt:11");
}

TEST(ParseCryptopp, QuotedPrefixedAndSpacedValues_Accepts) {
  const VectorResult result = ParseCryptopp(
      "AlgorithmType: SymmetricCipher\nName: AES/CBC\nSource: RFC 3602\n"
      "Key       : 0x06a9214036b8a15b512e03d534120006\n"
      "IV        : 3d af ba 42 9d 9e b4 30 b4 22 da 80 2c 9f ac 41\n"
      "Plaintext : \"Single block msg\"\n"
      "Ciphertext: 0xe353779c1079aeb82708942dbe77181a\nTest: Encrypt\n",
      "aes.txt");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(result->vectors[0].algorithm, "aes-128-cbc");
  EXPECT_EQ(HexEncode(result->vectors[0].iv), "3dafba429d9eb430b422da802c9fac41");
  EXPECT_EQ(std::string(result->vectors[0].plaintext.begin(), result->vectors[0].plaintext.end()),
            "Single block msg");
}

TEST(ParseCryptopp, RepeatedValue_IsWrittenOut) {
  const VectorResult result = ParseCryptopp(
      "AlgorithmType: SymmetricCipher\nName: AES/CTR\nSource: none, the shape only\n"
      "Key: r16 00\nIV: r4 0x00010203\nPlaintext: r3 \"ab\" 0c\nCiphertext: r7 ff\nTest: Encrypt\n",
      "aes.txt");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(HexEncode(result->vectors[0].iv), "00010203000102030001020300010203");
  EXPECT_EQ(HexEncode(result->vectors[0].plaintext), "6162616261620c");
}

constexpr char kXtsText[] =
    "# gathered from P1619-2007\n\n"
    "AlgorithmType: SymmetricCipher\n"
    "Name: AES/XTS\n"
    "#\n"
    "Source: P1619-2007, Appendix B\n"
    "Key: # two keys \\\n"
    "     11111111111111111111111111111111 \\\n"
    "     22222222222222222222222222222222\n"
    "IV:  33333333330000000000000000000000 # little-endian\n"
    "Plaintext: 4444444444444444444444444444444444444444444444444444444444444444\n"
    "Ciphertext: c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0\n"
    "Test: Encrypt\n"
    "#\n"
    "Plaintext: 4444444444444444444444444444444444444444444444444444444444444444\n"
    "Test: Encrypt\n";

TEST(ParseCryptopp, ContinuationsAndComments_Accepts) {
  const VectorResult result = ParseCryptopp(kXtsText, "xts.txt");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 2U) << "a comment line does not end the section";
  EXPECT_EQ(result->vectors[0].algorithm, "aes-128-xts");
  EXPECT_EQ(HexEncode(result->vectors[0].key),
            "1111111111111111111111111111111122222222222222222222222222222222");
  EXPECT_EQ(HexEncode(result->vectors[0].iv), "33333333330000000000000000000000");
  EXPECT_EQ(result->vectors[0].origin, "xts.txt:13");
}

TEST(ParseCryptopp, OtherAlgorithms_AreCountedAsSkipped) {
  const std::string text =
      "AlgorithmType: SymmetricCipher\nName: AES/OFB\nFeedbackSize: 1\nTest: Encrypt\nTest: "
      "Encrypt\n"
      "\nAlgorithmType: MAC\nName: CMAC(AES)\nTest: Verify\n\n" +
      std::string(kEcbText);
  const VectorResult result = ParseCryptopp(text, "all.txt");
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->vectors.size(), 2U);
  EXPECT_THAT(result->skipped,
              UnorderedElementsAre(Pair("SymmetricCipher AES/OFB", 2U), Pair("MAC CMAC(AES)", 1U)));
}

TEST(ParseCryptopp, AlgorithmType_ForgetsEarlierFields) {
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Comment:", "AlgorithmType: SymmetricCipher\nComment:")),
            "aes.txt:9: a Test without AlgorithmType and Name");
}

TEST(ParseCryptopp, EmptyLineWithinASection_IsIgnored) {
  const VectorResult result = ParseCryptopp(Replaced(kEcbText, "Comment:", "\n\nComment:"), "x");
  ASSERT_TRUE(result) << result.error();
  EXPECT_EQ(result->vectors.size(), 2U);
}

TEST(ParseCryptopp, FieldOrTestNotKnown_IsRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Comment:", "Seek: 5\nComment:")),
            "aes.txt:9: field Seek is not known here");
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Test: Encrypt", "Test: EncryptXorDigest")),
            "aes.txt:8: Test: EncryptXorDigest is not known here");
}

TEST(ParseCryptopp, MissingField_IsRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "AES/ECB", "AES/CBC")), "aes.txt:8: field IV is missing");
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key:", "Comment:")), "aes.txt:8: field Key is missing");
}

TEST(ParseCryptopp, MalformedValue_IsRefused) {
  const char* const kRefusal = "aes.txt:8: field Key is malformed";
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: 2x")), kRefusal);
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: 0x 2b")), kRefusal);
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: \"open")), kRefusal);
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: rx 2b")), kRefusal);
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: r4294967296 2b")), kRefusal);
}

TEST(ParseCryptopp, WrongLength_IsRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Key: 2b", "Key: ")),
            "aes.txt:8: the key has the wrong length");
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Ciphertext: 3a", "Ciphertext: ")),
            "aes.txt:8: plaintext and ciphertext differ in length");
}

TEST(ParseCryptopp, MisshapenLines_AreRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kEcbText, "Comment: ", "Comment ")), "aes.txt:5: not a field");
  EXPECT_EQ(ErrorOf("Key: 00 \\"), "aes.txt:1: the file ends in a continued field");
}

TEST(ParseCryptoppBlocks, KeyPlaintextCiphertext_Accepts) {
  const VectorResult des = ParseCryptoppBlocks(
      "0101010101010101 95F8A5E5DD31D900 8000000000000000\n"
      "0123456789abcdeffedcba9876543210  0123456789abcde7  7f1d0a77826b8aff\n",
      "3desval.dat", "3des");
  ASSERT_TRUE(des) << des.error();
  ASSERT_EQ(des->vectors.size(), 2U);
  EXPECT_EQ(des->vectors[0].algorithm, "3des-ecb");
  EXPECT_EQ(HexEncode(des->vectors[0].key), "010101010101010101010101010101010101010101010101");
  EXPECT_EQ(HexEncode(des->vectors[1].key), "0123456789abcdeffedcba98765432100123456789abcdef");
  EXPECT_EQ(HexEncode(des->vectors[1].ciphertext), "7f1d0a77826b8aff");
  EXPECT_EQ(des->vectors[1].origin, "3desval.dat:2");

  const VectorResult aes = ParseCryptoppBlocks(
      "000102030405060708090A0B0C0D0E0F  000102030405060708090A0B0C0D0E0F  "
      "0A940BB5416EF045F1C39458C653EA5A\n",
      "rijndael.dat", "aes");
  ASSERT_TRUE(aes) << aes.error();
  ASSERT_EQ(aes->vectors.size(), 1U);
  EXPECT_EQ(aes->vectors[0].algorithm, "aes-128-ecb");
}

TEST(ParseCryptoppBlocks, MisshapenLines_AreRefused) {
  const auto error_of = [](std::string_view text) {
    const VectorResult result = ParseCryptoppBlocks(text, "x.dat", "3des");
    return result ? "accepted" : result.error();
  };
  EXPECT_EQ(error_of("0101010101010101 95F8A5E5DD31D900\n"),
            "x.dat:1: not three hexadecimal columns");
  EXPECT_EQ(error_of("0101010101010101 95F8A5E5DD31D900 8000000000000000 00\n"),
            "x.dat:1: more than three columns");
  EXPECT_EQ(error_of("\n01010101 95F8A5E5DD31D900 8000000000000000\n"),
            "x.dat:2: the key has the wrong length");
  EXPECT_EQ(error_of("0101010101010101 95F8A5E5DD31D9 80000000000000\n"),
            "x.dat:1: the data are not whole blocks");
}

TEST(ReadCryptopp, MissingFile_IsRefused) {
  EXPECT_FALSE(ReadCryptopp("no-such-file.txt"));
  EXPECT_FALSE(ReadCryptoppBlocks("no-such-file.dat", "aes"));
}

}  // namespace
}  // namespace sealane::testing
