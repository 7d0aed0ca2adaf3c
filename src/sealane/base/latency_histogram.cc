// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sealane {

// The first kSubBuckets values have a bucket each; above, each power of two has as many.
size_t LatencyHistogram::BucketOf(uint64_t ns) {
  if (ns < kSubBuckets) return ns;
  const auto shift = static_cast<unsigned>(std::bit_width(ns)) - 1 - kSubBits;
  return (shift + 1) * kSubBuckets + ((ns >> shift) - kSubBuckets);
}

uint64_t LatencyHistogram::MiddleOf(size_t bucket) {
  if (bucket < kSubBuckets) return bucket;
  const size_t shift = bucket / kSubBuckets - 1;
  const uint64_t low = (kSubBuckets + bucket % kSubBuckets) << shift;
  return low + (uint64_t{1} << shift) / 2;
}

void LatencyHistogram::Add(std::chrono::nanoseconds latency) {
  const auto ns = static_cast<uint64_t>(std::max<int64_t>(latency.count(), 0));
  ++counts_[BucketOf(ns)];
  ++count_;
  total_ns_ += ns;
  max_ns_ = std::max(max_ns_, ns);
}

LatencyHistogram& LatencyHistogram::operator+=(const LatencyHistogram& other) {
  for (size_t i = 0; i < kNumBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  total_ns_ += other.total_ns_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
  return *this;
}

double LatencyHistogram::PercentileUs(double share) const {
  if (count_ == 0) return 0;
  if (share >= 1) return max_us();
  const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (size_t i = 0; i < kNumBuckets; ++i) {
    seen += counts_[i];
    if (seen >= wanted && counts_[i] != 0) {
      return static_cast<double>(std::min(MiddleOf(i), max_ns_)) / 1000;
    }
  }
  return max_us();
}

std::array<uint64_t, 65> LatencyHistogram::PowersOfTwoUs() const {
  std::array<uint64_t, 65> powers{};
  for (size_t i = 0; i < kNumBuckets; ++i) {
    const auto width = static_cast<size_t>(std::bit_width(MiddleOf(i) / 1000));
    powers[std::max<size_t>(width, 1)] += counts_[i];
  }
  return powers;
}

}  // namespace sealane
