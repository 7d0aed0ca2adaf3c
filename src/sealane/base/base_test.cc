// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "sealane/base/block_pool.h"
#include "sealane/base/check.h"
#include "sealane/base/checked_math.h"
#include "sealane/base/event_fd.h"
#include "sealane/base/hex.h"
#include "sealane/base/le.h"
#include "sealane/base/result.h"
#include "sealane/base/secret.h"

namespace sealane {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Error{ErrorCode::kInvalid, "odd"};
  return value / 2;
}

Result<int> Quarter(int value) {
  SL_ASSIGN_OR_RETURN(const int half, Half(value));
  return Half(half);
}

Result<void> CheckEven(int value) {
  SL_RETURN_IF_ERROR(Half(value));
  return {};
}

TEST(Result, Macros_Failure_PassesTheErrorOn) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_STREQ(Quarter(6).error().what, "odd");
  EXPECT_TRUE(CheckEven(2).has_value());
  EXPECT_EQ(CheckEven(3).error().code, ErrorCode::kInvalid);
}

TEST(Error, SystemError_ToString_NamesCallAndCause) {
  errno = ENOENT;
  EXPECT_EQ(ToString(SystemError("open")), "open: No such file or directory");
}

TEST(CheckedMath, Overflow_IsNothing) {
  constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(CheckedAdd(kMax, 1U), std::nullopt);
  EXPECT_EQ(CheckedAdd(kMax, 0U), kMax);
  EXPECT_EQ(CheckedMul(kMax, 2U), std::nullopt);
  EXPECT_EQ(CheckedMul(3U, 5U), 15U);
}

TEST(CheckedMath, FitsWithin_AtTheEdges_IsExact) {
  EXPECT_TRUE(FitsWithin<uint64_t>(0, 16, 16));
  EXPECT_TRUE(FitsWithin<uint64_t>(16, 0, 16));
  EXPECT_FALSE(FitsWithin<uint64_t>(17, 0, 16));
  EXPECT_FALSE(FitsWithin<uint64_t>(8, ~uint64_t{0}, 16));
}

TEST(Le, Bytes_LieLeastSignificantFirst) {
  const Le32 little(0x01020304);
  const Be<uint32_t> big(0x01020304);
  EXPECT_EQ(std::memcmp(&little, "\x04\x03\x02\x01", 4), 0);
  EXPECT_EQ(std::memcmp(&big, "\x01\x02\x03\x04", 4), 0);
  EXPECT_EQ(little.get(), big.get());
}

TEST(Hex, RoundTrip_AndBadInput) {
  EXPECT_EQ(HexEncode(HexDecode("00fF7a").value()), "00ff7a");
  EXPECT_FALSE(HexDecode("0").has_value());
  EXPECT_FALSE(HexDecode("0g").has_value());
  EXPECT_TRUE(HexDecode("").has_value());
}

TEST(Secret, LongerThanTheObject_MovesToo) {
  const std::vector<uint8_t> key(SecretBytes::kInlineSize + 1, 7);
  SecretBytes first{std::span<const uint8_t>(key)};
  SecretBytes second;
  second = std::move(first);
  EXPECT_TRUE(std::ranges::equal(second.bytes(), key));
  second = SecretBytes(3);
  EXPECT_TRUE(std::ranges::equal(second.bytes(), std::vector<uint8_t>(3)));
}

TEST(BlockPool, SharedObjects_ReuseTheirMemory) {
  BlockPool pool;
  const PoolAllocator<int> allocator(pool);
  const void* first = nullptr;
  {
    const auto a = std::allocate_shared<int>(allocator, 1);
    const auto b = std::allocate_shared<int>(allocator, 2);
    EXPECT_NE(a.get(), b.get());
    first = b.get();
  }
  const auto again = std::allocate_shared<int>(allocator, 3);
  const auto other = std::allocate_shared<int>(allocator, 4);
  EXPECT_TRUE(again.get() == first || other.get() == first);
}

// UBSan judges: an empty span may have no address.
TEST(Secret, Wipe_OfNothing_IsNothing) {
  WipeBytes({});
  const SecretBytes empty{std::span<const uint8_t>()};
  EXPECT_EQ(empty.size(), 0U);
}

TEST(Secret, Move_LeavesNothingBehind) {
  const std::vector<uint8_t> key = {1, 2, 3};
  SecretBytes first{std::span<const uint8_t>(key)};
  const SecretBytes second = std::move(first);
  EXPECT_EQ(second.size(), 3U);
  EXPECT_EQ(first.size(),
            0U);  // NOLINT(bugprone-use-after-move): the moved-from state is the point
}

TEST(EventFd, Signal_Drain_TakesAllRingsAtOnce) {
  const EventFd bell = EventFd::Create().value();
  EXPECT_FALSE(bell.Drain());
  bell.Signal();
  bell.Signal();
  EXPECT_TRUE(bell.Wait(0));
  EXPECT_TRUE(bell.Drain());
  EXPECT_FALSE(bell.Drain());
}

TEST(EventFd, Adopt_BlockingPipe_BecomesNonBlocking) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd writer(ends[1]);
  const EventFd bell = EventFd::Adopt(UniqueFd(ends[0])).value();
  EXPECT_FALSE(bell.Drain());  // would block for ever otherwise
  EXPECT_FALSE(EventFd::Adopt(UniqueFd()).has_value());
}

TEST(CheckDeathTest, FailedCheck_EndsTheProcess) {
  EXPECT_DEATH(SL_CHECK(1 + 1 == 3), "check failed: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace sealane
