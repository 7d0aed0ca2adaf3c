// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/spin_policy.h"

#include <gtest/gtest.h>

namespace sealane::device {
namespace {

using namespace std::chrono_literals;

// How many polls in vain it takes until the policy says no more.
int PollsInVain(SpinPolicy& policy) {
  int polls = 0;
  while (policy.budget() != 0us && polls < 1000) {
    policy.SpinFoundNothing();
    ++polls;
  }
  return polls;
}

TEST(SpinPolicy, NoBudget_NeverPolls) {
  SpinPolicy policy(0us);
  EXPECT_EQ(policy.budget(), 0us);
  policy.SpinFoundWork();
  policy.Slept(0us);
  EXPECT_EQ(policy.budget(), 0us);
}

TEST(SpinPolicy, PollsInVain_StopSoonAndStayStopped) {
  SpinPolicy policy(50us);
  EXPECT_EQ(policy.budget(), 50us) << "polls at first";
  const int polls = PollsInVain(policy);
  EXPECT_GT(polls, 0);
  EXPECT_LE(polls, 10);
  for (int i = 0; i < 100; ++i) policy.SpinFoundNothing();
  EXPECT_EQ(policy.budget(), 0us);
}

TEST(SpinPolicy, WorkFound_GivesAllItsPollsBack) {
  SpinPolicy policy(50us);
  const int polls = PollsInVain(policy);
  policy.SpinFoundWork();
  EXPECT_EQ(PollsInVain(policy), polls);
}

TEST(SpinPolicy, SleptShorterThanBudgetAndWakeUp_PollsAgain) {
  SpinPolicy policy(50us);
  PollsInVain(policy);
  policy.Slept(75us);
  EXPECT_EQ(policy.budget(), 0us) << "polling would not have found that";
  policy.Slept(74us);
  EXPECT_EQ(policy.budget(), 50us);
}

// Every sleep is longer than such a budget, as waking up alone takes more.
TEST(SpinPolicy, BudgetShorterThanAWakeUp_IsGivenAgainToo) {
  SpinPolicy policy(5us);
  PollsInVain(policy);
  policy.Slept(15us);
  EXPECT_EQ(policy.budget(), 5us);
}

}  // namespace
}  // namespace sealane::device
