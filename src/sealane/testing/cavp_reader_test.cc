// SPDX-License-Identifier: Apache-2.0
//
// The records are the first ones of NIST's files, so that the tests need no fetched file.
#include "sealane/testing/cavp_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sealane/base/hex.h"

namespace sealane::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr char kCbcPath[] = "AES/CBC/CBCMMT128.rsp";
constexpr char kXtsPath[] = "AES/XTS/tweak-128hexstr/XTSGenAES128.rsp";

constexpr char kCbcText[] =
    "# CAVS 11.1\n"
    "\n"
    "[ENCRYPT]\n"
    "\n"
    "COUNT = 0\n"
    "KEY = 1f8e4973953f3fb0bd6b16662e9a3c17\n"
    "IV = 2fe2b333ceda8f98f4a99b40d2cd34a8\n"
    "PLAINTEXT = 45cf12964fc824ab76616ae2f4bf0822\n"
    "CIPHERTEXT = 0f61c4d44c5147c03c195ad7e2cc12b2\n"
    "\n"
    "COUNT = 1\n"
    "KEY = 0700d603a1c514e46b6191ba430a3a0c\n"
    "IV = aad1583cd91365e3bb2f0c3430d065bb\n"
    "PLAINTEXT = 068b25c7bfb1f8bdd4cfc908f69dffc5ddc726a197f0e5f720f730393279be91\n"
    "CIPHERTEXT = c4dc61d9725967a3020104a9738f23868527ce839aab1752fd8bdb95a82c4d00\n"
    "[DECRYPT]\n"
    "COUNT = 0\n"
    "KEY = 1f8e4973953f3fb0bd6b16662e9a3c17\n"
    "IV = 2fe2b333ceda8f98f4a99b40d2cd34a8\n"
    "CIPHERTEXT = 0f61c4d44c5147c03c195ad7e2cc12b2\n"
    "PLAINTEXT = 45cf12964fc824ab76616ae2f4bf0822\n";

std::string ErrorOf(std::string_view text, const std::string& path) {
  const VectorResult result = ParseCavp(text, path);
  return result ? "accepted" : result.error();
}

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

TEST(ParseCavp, AesCbc_GivesEveryRecordOfBothSections_Accepts) {
  const VectorResult result = ParseCavp(kCbcText, kCbcPath);
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 3U);
  EXPECT_TRUE(result->skipped.empty());
  const CipherVector& second = result->vectors[1];
  EXPECT_EQ(second.algorithm, "aes-128-cbc");
  EXPECT_EQ(HexEncode(second.key), "0700d603a1c514e46b6191ba430a3a0c");
  EXPECT_EQ(HexEncode(second.iv), "aad1583cd91365e3bb2f0c3430d065bb");
  EXPECT_EQ(HexEncode(second.plaintext),
            "068b25c7bfb1f8bdd4cfc908f69dffc5ddc726a197f0e5f720f730393279be91");
  EXPECT_EQ(HexEncode(second.ciphertext),
            "c4dc61d9725967a3020104a9738f23868527ce839aab1752fd8bdb95a82c4d00");
  EXPECT_EQ(second.origin, std::string(kCbcPath) + ":11");
  EXPECT_TRUE(second.encrypt);
  EXPECT_TRUE(second.decrypt);
  EXPECT_EQ(result->vectors[2].plaintext, result->vectors[0].plaintext);
}

TEST(ParseCavp, CarriageReturnsAndNoLastNewline_Accepts) {
  const VectorResult result = ParseCavp(
      "[ENCRYPT]\r\nCOUNT = 0\r\nKEY = 00000000000000000000000000000000\r\n"
      "PLAINTEXT = f34481ec3cc627bacd5dc3fb08f273e6\r\n"
      "CIPHERTEXT = 0336763e966d92595a567cc9ce537f5e",
      "AES/ECB/ECBGFSbox128.rsp");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(result->vectors[0].algorithm, "aes-128-ecb");
  EXPECT_TRUE(result->vectors[0].iv.empty());
}

TEST(ParseCavp, TripleDesKeys_AreExpanded) {
  const VectorResult one = ParseCavp(
      "[ENCRYPT]\nCOUNT = 0\nKEYs = 8001010101010101\nPLAINTEXT = 0000000000000000\n"
      "CIPHERTEXT = 95a8d72813daa94d\n",
      "3DES/ECB/TECBvarkey.rsp");
  ASSERT_TRUE(one) << one.error();
  ASSERT_EQ(one->vectors.size(), 1U);
  EXPECT_EQ(one->vectors[0].algorithm, "3des-ecb");
  EXPECT_EQ(HexEncode(one->vectors[0].key), "800101010101010180010101010101018001010101010101");

  const VectorResult three = ParseCavp(
      "[ENCRYPT]\nCOUNT = 0\nKEY1 = a2b5bc67da13dc92\nKEY2 = cd9d344aa238544a\n"
      "KEY3 = 0e1fa79ef76810cd\nPLAINTEXT = 329d86bdf1bc5af4\nCIPHERTEXT = d946c2756d78633f\n",
      "3DES/ECB/TECBMMT3.rsp");
  ASSERT_TRUE(three) << three.error();
  ASSERT_EQ(three->vectors.size(), 1U);
  EXPECT_EQ(HexEncode(three->vectors[0].key), "a2b5bc67da13dc92cd9d344aa238544a0e1fa79ef76810cd");
}

TEST(ParseCavp, InterleavedKnownAnswer_GivesThreeStreams_Accepts) {
  const VectorResult result = ParseCavp(
      "[ENCRYPT]\nCOUNT = 0\nKEYs = 0101010101010101\nIV1 = 0000000000000000\n"
      "IV2 = 5555555555555555\nIV3 = aaaaaaaaaaaaaaaa\nPLAINTEXT = 8000000000000000\n"
      "CIPHERTEXT1 = 95f8a5e5dd31d900\nCIPHERTEXT2 = f7552ab6cb21e2bc\n"
      "CIPHERTEXT3 = 5a48d3de869557fd\n",
      "3DES/CBC/TCBCIvartext.rsp");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 3U);
  EXPECT_EQ(result->vectors[1].algorithm, "3des-cbc");
  EXPECT_EQ(HexEncode(result->vectors[1].iv), "5555555555555555");
  EXPECT_EQ(HexEncode(result->vectors[1].plaintext), "8000000000000000");
  EXPECT_EQ(HexEncode(result->vectors[1].ciphertext), "f7552ab6cb21e2bc");
  EXPECT_EQ(result->vectors[2].origin, "3DES/CBC/TCBCIvartext.rsp:2 stream 3");
}

TEST(ParseCavp, InterleavedKnownAnswerWithOneCiphertext_IsForAllStreams) {
  const VectorResult result = ParseCavp(
      "[DECRYPT]\nCOUNT = 0\nKEYs = 0101010101010101\nIV1 = 0000000000000000\n"
      "IV2 = 5555555555555555\nIV3 = aaaaaaaaaaaaaaaa\nCIPHERTEXT1 = 8000000000000000\n"
      "PLAINTEXT1 = 95f8a5e5dd31d900\nPLAINTEXT2 = c0adf0b088648c55\n"
      "PLAINTEXT3 = 3f520f4f779b73aa\n",
      "3DES/CBC/TCBCIinvperm.rsp");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 3U);
  EXPECT_EQ(HexEncode(result->vectors[2].ciphertext), "8000000000000000");
  EXPECT_EQ(HexEncode(result->vectors[2].plaintext), "3f520f4f779b73aa");
}

constexpr char kInterleavedMessage[] =
    "[ENCRYPT]\nCOUNT = 0\nKEY1 = fd5e6738b3621a0b\nKEY2 = fd5e6738b3621a0b\n"
    "KEY3 = fd5e6738b3621a0b\nIV1 = 87a07be759d32176\nIV2 = dcf5d13caf2876cb\n"
    "IV3 = 324b2692047dcc20\n"
    "PLAINTEXT = b54d920b74a7f4cbbb7eb1189205386b192ec5e878ceed9c"
    "18fc780314b96ecdead774e1771359a32285ed72573a1275\n"
    "CIPHERTEXT = e1e9f9a480eb995a23bca869f0de6915313312fec011e6bb"
    "a82ea7b0fb2f2163a2dd2282cc130ef6cb8eea628cc7ef45\n";

TEST(ParseCavp, InterleavedMessage_IsTakenApartByBlocks_Accepts) {
  const VectorResult result = ParseCavp(kInterleavedMessage, "3DES/CBC/TCBCIMMT1.rsp");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 3U);
  EXPECT_EQ(HexEncode(result->vectors[0].plaintext), "b54d920b74a7f4cb18fc780314b96ecd");
  EXPECT_EQ(HexEncode(result->vectors[0].ciphertext), "e1e9f9a480eb995aa82ea7b0fb2f2163");
  EXPECT_EQ(HexEncode(result->vectors[2].plaintext), "192ec5e878ceed9c2285ed72573a1275");
}

TEST(ParseCavp, InterleavedMessageOfTwoBlocks_IsRefused) {
  std::string text = Replaced(kInterleavedMessage, "192ec5e878ceed9c18fc", "18fc");
  EXPECT_THAT(ErrorOf(text, "3DES/CBC/TCBCIMMT1.rsp"),
              HasSubstr("PLAINTEXT does not divide into three streams"));
}

TEST(ParseCavp, Ofb_GivesTheFirstBlockAsCtr_Accepts) {
  const VectorResult result = ParseCavp(
      "[ENCRYPT]\nCOUNT = 0\nKEY1 = 3ea7f4a819d56797\nKEY2 = e683687a32b6d661\n"
      "KEY3 = 0b4307238079c7e9\nIV = e9a012252338c1ff\n"
      "PLAINTEXT = 5c632f97a983f12aa7a57bfd1ac9dbb7\n"
      "CIPHERTEXT = deb1bbf11eebce856e506a5bc91b824b\n",
      "3DES/OFB/TOFBMMT3.rsp");
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(result->vectors[0].algorithm, "3des-ctr");
  EXPECT_EQ(HexEncode(result->vectors[0].plaintext), "5c632f97a983f12a");
  EXPECT_EQ(HexEncode(result->vectors[0].ciphertext), "deb1bbf11eebce85");
  EXPECT_EQ(result->vectors[0].origin, "3DES/OFB/TOFBMMT3.rsp:2 first block");
}

constexpr char kXtsText[] =
    "[ENCRYPT]\n\nCOUNT = 1\nDataUnitLen = 128\n"
    "Key = a1b90cba3f06ac353b2c343876081762090923026e91771815f29dab01932f2f\n"
    "i = 4faef7117cda59c66e4b92013e768ad5\n"
    "PT = ebabce95b14d3c8d6fb350390790311c\nCT = 778ae8b43cb98d5a825081d5be471c63\n";

TEST(ParseCavp, XtsWithHexTweak_Accepts) {
  const VectorResult result = ParseCavp(kXtsText, kXtsPath);
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(result->vectors[0].algorithm, "aes-128-xts");
  EXPECT_EQ(HexEncode(result->vectors[0].iv), "4faef7117cda59c66e4b92013e768ad5");
}

TEST(ParseCavp, XtsWithSequenceNumber_IsLittleEndian_Accepts) {
  const std::string text =
      Replaced(kXtsText, "i = 4faef7117cda59c66e4b92013e768ad5", "DataUnitSeqNumber = 397");
  const VectorResult result = ParseCavp(text, kXtsPath);
  ASSERT_TRUE(result) << result.error();
  ASSERT_EQ(result->vectors.size(), 1U);
  EXPECT_EQ(HexEncode(result->vectors[0].iv), "8d010000000000000000000000000000");
}

TEST(ParseCavp, XtsOfPartOfAByte_IsCountedAsSkipped_Accepts) {
  std::string text = Replaced(kXtsText, "DataUnitLen = 128", "DataUnitLen = 130");
  text = Replaced(text, "0790311c", "0790311c80");
  text = Replaced(text, "be471c63", "be471c6340");
  const VectorResult result = ParseCavp(text, kXtsPath);
  ASSERT_TRUE(result) << result.error();
  EXPECT_TRUE(result->vectors.empty());
  EXPECT_THAT(result->skipped, UnorderedElementsAre(Pair("data unit of 130 bits", 1U)));
}

TEST(ParseCavp, XtsFieldsThatDisagree_AreRefused) {
  EXPECT_THAT(ErrorOf(Replaced(kXtsText, "DataUnitLen = 128", "DataUnitLen = 256"), kXtsPath),
              HasSubstr("PT is not DataUnitLen bits long"));
  EXPECT_THAT(ErrorOf(Replaced(kXtsText, "DataUnitLen = 128", "DataUnitLen = 12x"), kXtsPath),
              HasSubstr("DataUnitLen is missing or not a number"));
  EXPECT_THAT(ErrorOf(Replaced(kXtsText, "i = ", "DataUnitSeqNumber = "), kXtsPath),
              HasSubstr("neither a tweak i nor a numeric DataUnitSeqNumber"));
}

TEST(ParseCavp, LostRecord_IsRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kCbcText, "COUNT = 1", "COUNT = 2"), kCbcPath),
            std::string(kCbcPath) + ":11: COUNT is out of sequence");
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "COUNT = 0", "COUNT = 5"), kCbcPath),
              HasSubstr("COUNT is out of sequence"));
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "COUNT = 0", "COUNT = no"), kCbcPath),
              HasSubstr("COUNT is not a number"));
}

TEST(ParseCavp, MisshapenLines_AreRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kCbcText, "IV = 2f", "IV 2f"), kCbcPath),
            std::string(kCbcPath) + ":7: neither a section nor NAME = VALUE");
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "[ENCRYPT]", ""), kCbcPath),
              HasSubstr("a field outside [ENCRYPT] and [DECRYPT]"));
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "COUNT = 0\n", ""), kCbcPath),
              HasSubstr("a field before COUNT"));
}

TEST(ParseCavp, MissingFields_AreRefused) {
  EXPECT_EQ(ErrorOf(Replaced(kCbcText, "IV = 2fe2b333ceda8f98f4a99b40d2cd34a8\n", ""), kCbcPath),
            std::string(kCbcPath) + ":10: field IV is missing");
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "KEY = 1f8e4973953f3fb0bd6b16662e9a3c17\n", ""), kCbcPath),
              HasSubstr("field KEY is missing"));
}

TEST(ParseCavp, UnknownAndRepeatedFields_AreRefused) {
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "IV = 2f", "AAD = 00\nIV = 2f"), kCbcPath),
              HasSubstr("unknown field AAD"));
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "IV = 2f", "IV = 00\nIV = 2f"), kCbcPath),
              HasSubstr("field IV twice"));
}

TEST(ParseCavp, BadValues_AreRefused) {
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "IV = 2f", "IV = 2g"), kCbcPath),
              HasSubstr("field IV is not hexadecimal"));
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "IV = 2f", "IV = "), kCbcPath),
              HasSubstr("the IV has the wrong length"));
  EXPECT_THAT(ErrorOf(Replaced(kCbcText, "KEY = 1f", "KEY = "), kCbcPath),
              HasSubstr("the key has the wrong length"));
}

TEST(ParseCavp, DesKeysOfOtherLengths_AreRefused) {
  constexpr char kPath[] = "3DES/ECB/TECBvarkey.rsp";
  EXPECT_THAT(ErrorOf("[ENCRYPT]\nCOUNT = 0\nKEYs = 80010101\nPLAINTEXT = 0000000000000000\n"
                      "CIPHERTEXT = 95a8d72813daa94d\n",
                      kPath),
              HasSubstr("KEYs is not one DES key"));
  EXPECT_THAT(ErrorOf("[ENCRYPT]\nCOUNT = 0\nKEY1 = 8001010101010101\nKEY2 = 80\n"
                      "KEY3 = 8001010101010101\nPLAINTEXT = 0000000000000000\n"
                      "CIPHERTEXT = 95a8d72813daa94d\n",
                      kPath),
              HasSubstr("KEY2 is not a DES key"));
}

TEST(ParseCavp, PathOfAnotherAlgorithm_IsRefused) {
  EXPECT_THAT(ErrorOf(kCbcText, "Camellia/CBC/x.rsp"), HasSubstr("no cipher and mode known here"));
  EXPECT_THAT(ErrorOf(kCbcText, "AES/GCM/x.rsp"), HasSubstr("no cipher and mode known here"));
}

TEST(ReadCavp, MissingFile_IsRefused) {
  const VectorResult result = ReadCavp("AES/CBC/no-such-file.rsp");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace sealane::testing
