// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/record_reader.h"

#include <gtest/gtest.h>

namespace sealane::testing {
namespace {

TEST(RecordReader, Paragraphs_RecordsWithWhatWasSaidBefore) {
  const auto records = ParseRecords(
      "# a comment\n[Keylen = 128]\n[Alen = 0, Tlen = 4]\n\nKey = 00ff\nNonce=01\n\n"
      "Count = 0\nCT = 02\nResult = Fail\n\nCount = 1\r\nNONCE = 03\r\nCT =\r\nFAIL\r\n\n",
      {"ct"});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].Find({"key"}), "00ff");
  EXPECT_EQ(records[0].Find({"iv", "nonce"}), "01");
  EXPECT_EQ(records[0].Find({"tlen"}), "4");
  EXPECT_EQ(records[0].Find({"keylen"}), "128");
  EXPECT_EQ(records[0].Find({"result"}), "Fail");
  EXPECT_EQ(records[0].line, 8U);
  EXPECT_EQ(records[1].Find({"nonce"}), "03");
  EXPECT_EQ(records[1].Find({"ct"}), "");
  EXPECT_TRUE(records[1].Has("fail"));
  EXPECT_FALSE(records[1].Has("result")) << "the one before's";
  EXPECT_FALSE(records[1].Find({"tag"}).has_value());
}

TEST(RecordReader, Values_HexOrText) {
  EXPECT_EQ(ValueBytes("00Ff"), (Bytes{0, 0xff}));
  EXPECT_EQ(ValueBytes("\"a1\""), (Bytes{'a', '1'}));
  EXPECT_EQ(ValueBytes(""), Bytes());
  EXPECT_FALSE(ValueBytes("0").has_value());
  EXPECT_FALSE(ValueBytes("\"a").has_value());
}

}  // namespace
}  // namespace sealane::testing
