// SPDX-License-Identifier: Apache-2.0
#include "funclatency.h"

#include <gtest/gtest.h>

namespace sealane::cli {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// Typed by hand from the source of bcc's table.py and funclatency.
TEST(LatencyHistogram, Funclatency_LayoutOfBcc) {
  LatencyHistogram histogram;
  for (int i = 0; i < 40; ++i) histogram.Add(microseconds(5));
  for (int i = 0; i < 10; ++i) histogram.Add(microseconds(1));
  for (int i = 0; i < 1; ++i) histogram.Add(microseconds(20));
  EXPECT_EQ(Funclatency(histogram),
            "     usecs               : count     distribution\n"
            "         0 -> 1          : 10       |**********                              |\n"
            "         2 -> 3          : 0        |                                        |\n"
            "         4 -> 7          : 40       |****************************************|\n"
            "         8 -> 15         : 0        |                                        |\n"
            "        16 -> 31         : 1        |*                                       |\n"
            "\n"
            "avg = 4 usecs, total: 230 usecs, count: 51\n");
}

TEST(LatencyHistogram, SmallCount_GetsNoStar) {
  LatencyHistogram histogram;
  for (int i = 0; i < 100; ++i) histogram.Add(microseconds(5));
  histogram.Add(microseconds(1));
  EXPECT_NE(Funclatency(histogram).find("0 -> 1          : 1        |          "),
            std::string::npos);
}

TEST(LatencyHistogram, Empty_IsNoTable) {
  EXPECT_EQ(Funclatency(LatencyHistogram()), "\navg = 0 usecs, total: 0 usecs, count: 0\n");
  EXPECT_EQ(LatencyHistogram().PercentileUs(0.5), 0);
}

TEST(LatencyHistogram, Percentiles_WithinThreePercent) {
  LatencyHistogram histogram;
  for (int64_t ns = 1; ns <= 100'000; ++ns) histogram.Add(nanoseconds(ns));
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    EXPECT_NEAR(histogram.PercentileUs(share), 100 * share, 100 * share * 0.03) << share;
  }
  EXPECT_EQ(histogram.PercentileUs(1), 100);
  EXPECT_EQ(histogram.max_us(), 100);
}

TEST(LatencyHistogram, Sum_IsThatOfBoth) {
  LatencyHistogram one;
  one.Add(microseconds(3));
  LatencyHistogram other;
  other.Add(std::chrono::hours(24));
  one += other;
  EXPECT_EQ(one.count(), 2U);
  EXPECT_EQ(one.max_us(), 86'400'000'000.0);
}

}  // namespace
}  // namespace sealane::cli
