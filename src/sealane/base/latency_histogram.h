// SPDX-License-Identifier: Apache-2.0
//
// LatencyHistogram: how long operations took, in buckets that are at most 1/32 wide of what they
// hold, so that percentiles are that exact. No allocation per value. One thread; merged afterwards.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sealane {

class LatencyHistogram {
 public:
  void Add(std::chrono::nanoseconds latency);
  LatencyHistogram& operator+=(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  double max_us() const { return static_cast<double>(max_ns_) / 1000; }
  // The latency that `share` (0 to 1) of all operations did not exceed; 0 if there are none.
  double PercentileUs(double share) const;

  uint64_t total_ns() const { return total_ns_; }

  // How many took 2^(i-1) to 2^i - 1 us, by i; the first, of i = 1, has 0 us as well.
  std::array<uint64_t, 65> PowersOfTwoUs() const;

 private:
  static constexpr unsigned kSubBits = 5;
  static constexpr size_t kSubBuckets = size_t{1} << kSubBits;
  static constexpr size_t kNumBuckets = (64 - kSubBits + 1) * kSubBuckets;

  static size_t BucketOf(uint64_t ns);
  static uint64_t MiddleOf(size_t bucket);  // ns

  std::array<uint64_t, kNumBuckets> counts_{};
  uint64_t count_ = 0;
  uint64_t total_ns_ = 0;
  uint64_t max_ns_ = 0;
};

}  // namespace sealane
