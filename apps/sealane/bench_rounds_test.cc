// SPDX-License-Identifier: Apache-2.0
#include "bench_rounds.h"

#include <gtest/gtest.h>

namespace sealane::cli {
namespace {

TEST(Median, OddAndEvenNumbers) {
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({9, 1, 5}), 5);
  EXPECT_EQ(Median({8, 1, 2, 4}), 3);
}

// Whatever the machine does meanwhile, a round is either kept or dropped.
TEST(RunRounds, KeptAndDropped_AreAllThatRan) {
  size_t num_called = 0;
  const auto rounds = RunRounds(4, [&](size_t index) -> CommandResult<void> {
    EXPECT_EQ(index, num_called++);
    return {};
  });
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(rounds->kept.size() + (rounds->keeps_disturbed ? 0 : rounds->num_dropped), num_called);
  EXPECT_GE(rounds->kept.size(), 3U);
}

TEST(RunRounds, Failure_EndsThem) {
  size_t num_called = 0;
  const auto rounds = RunRounds(4, [&](size_t /*index*/) -> CommandResult<void> {
    ++num_called;
    return Failed("no");
  });
  EXPECT_FALSE(rounds.has_value());
  EXPECT_EQ(num_called, 1U);
}

}  // namespace
}  // namespace sealane::cli
