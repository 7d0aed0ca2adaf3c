// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/range_cursor.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "sealane/mem/shared_access.h"

namespace sealane::ring {
namespace {

using mem::GuestRange;
using Bytes = std::vector<uint8_t>;

// Memory of 0, 1, 2, … cut into ranges of the given sizes.
class RangeCursorTest : public ::testing::Test {
 protected:
  RangeCursorTest() { std::iota(memory_.begin(), memory_.end(), uint8_t{0}); }

  std::vector<GuestRange> Cut(std::initializer_list<size_t> sizes) {
    std::vector<GuestRange> ranges;
    size_t offset = 0;
    for (const size_t size : sizes) {
      ranges.emplace_back(memory_.data() + offset, size);
      offset += size;
    }
    return ranges;
  }

  std::array<uint8_t, 128> memory_;
};

TEST_F(RangeCursorTest, CopyOut_HeaderCutInTwo_JoinsIt) {
  const auto ranges = Cut({71, 1, 8});
  RangeCursor cursor(ranges);
  Bytes header(72);
  ASSERT_TRUE(cursor.CopyOut(header));
  EXPECT_TRUE(std::equal(header.begin(), header.end(), memory_.begin()));
  Bytes rest(8);
  ASSERT_TRUE(cursor.CopyOut(rest));
  EXPECT_EQ(rest, (Bytes{72, 73, 74, 75, 76, 77, 78, 79}));
}

TEST_F(RangeCursorTest, CopyOut_OneRangePerByte_JoinsThem) {
  const auto ranges = Cut({1, 1, 1, 1, 1});
  RangeCursor cursor(ranges);
  Bytes bytes(5);
  ASSERT_TRUE(cursor.CopyOut(bytes));
  EXPECT_EQ(bytes, (Bytes{0, 1, 2, 3, 4}));
}

TEST_F(RangeCursorTest, CopyOut_MoreThanThereIs_Fails) {
  const auto ranges = Cut({3, 4});
  RangeCursor cursor(ranges);
  Bytes bytes(8);
  EXPECT_FALSE(cursor.CopyOut(bytes));
}

TEST_F(RangeCursorTest, CopyOut_NoRanges_FailsExceptForNothing) {
  RangeCursor cursor({});
  EXPECT_TRUE(cursor.CopyOut({}));
  Bytes one(1);
  EXPECT_FALSE(cursor.CopyOut(one));
}

TEST_F(RangeCursorTest, CopyOut_EmptyRangesBetween_AreSkipped) {
  const auto ranges = Cut({0, 2, 0, 0, 2, 0});
  RangeCursor cursor(ranges);
  Bytes bytes(4);
  ASSERT_TRUE(cursor.CopyOut(bytes));
  EXPECT_EQ(bytes, (Bytes{0, 1, 2, 3}));
  EXPECT_FALSE(cursor.CopyOut(std::span(bytes).first(1)));
}

TEST_F(RangeCursorTest, CopyIn_AcrossRanges_LeavesTheRestAlone) {
  const auto ranges = Cut({2, 3});
  RangeCursor cursor(ranges);
  ASSERT_TRUE(cursor.CopyIn(Bytes{100, 101, 102, 103}));
  EXPECT_EQ(Bytes(memory_.begin(), memory_.begin() + 6), (Bytes{100, 101, 102, 103, 4, 5}));
}

TEST_F(RangeCursorTest, CopyIn_MoreThanThereIs_Fails) {
  const auto ranges = Cut({2, 1});
  RangeCursor cursor(ranges);
  EXPECT_FALSE(cursor.CopyIn(Bytes(4)));
  EXPECT_EQ(memory_[3], 3);
}

TEST_F(RangeCursorTest, Next_AfterAPartialRange_BeginsWhereTheCopyEnded) {
  const auto ranges = Cut({10, 20, 30});
  RangeCursor cursor(ranges);
  Bytes head(4);
  ASSERT_TRUE(cursor.CopyOut(head));
  const GuestRange rest_of_first = cursor.Next(30);
  EXPECT_EQ(rest_of_first.size(), 6U);
  EXPECT_EQ(mem::RawData(rest_of_first), memory_.data() + 4);
  EXPECT_EQ(cursor.Next(24).size(), 20U);
  const GuestRange part_of_last = cursor.Next(4);
  EXPECT_EQ(part_of_last.size(), 4U);
  EXPECT_EQ(mem::RawData(part_of_last), memory_.data() + 30);
  Bytes next(1);
  ASSERT_TRUE(cursor.CopyOut(next));
  EXPECT_EQ(next[0], 34);
}

TEST_F(RangeCursorTest, Next_BehindTheEnd_IsEmpty) {
  const auto ranges = Cut({10, 0});
  RangeCursor cursor(ranges);
  EXPECT_EQ(cursor.Next(~uint64_t{0}).size(), 10U);
  EXPECT_EQ(cursor.Next(1).size(), 0U);
  EXPECT_EQ(cursor.Next(1).size(), 0U);
}

}  // namespace
}  // namespace sealane::ring
