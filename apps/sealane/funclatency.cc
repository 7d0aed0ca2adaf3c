// SPDX-License-Identifier: Apache-2.0
#include "funclatency.h"

#include <fmt/format.h>

#include <algorithm>

namespace sealane::cli {
namespace {

constexpr int kStarsWidth = 40;

// As bcc prints them: a small count gets none.
std::string Stars(uint64_t value, uint64_t max) {
  const double width = kStarsWidth * static_cast<double>(value) / static_cast<double>(max);
  std::string stars;
  while (static_cast<double>(stars.size()) <= width - 1 && stars.size() < kStarsWidth) stars += '*';
  return stars;
}

}  // namespace

std::string Funclatency(const LatencyHistogram& histogram) {
  const auto powers = histogram.PowersOfTwoUs();
  const uint64_t most = std::ranges::max(powers);
  size_t last = 0;
  for (size_t i = 1; i < powers.size(); ++i) {
    if (powers[i] != 0) last = i;
  }
  std::string text;
  if (last != 0) text = fmt::format("     {:<19} : count     distribution\n", "usecs");
  for (size_t i = 1; i <= last; ++i) {
    const uint64_t high = (uint64_t{1} << i) - 1;
    const uint64_t low = i == 1 ? 0 : (high + 1) / 2;
    text += fmt::format("{:>10} -> {:<10} : {:<8} |{:<40}|\n", low, high, powers[i],
                        Stars(powers[i], most));
  }
  const uint64_t total = histogram.total_ns() / 1000;
  const uint64_t count = histogram.count();
  return text + fmt::format("\navg = {} usecs, total: {} usecs, count: {}\n",
                            count == 0 ? 0 : total / count, total, count);
}

}  // namespace sealane::cli
