// SPDX-License-Identifier: Apache-2.0
//
// LatencyHistogram: how long operations took, in buckets that are at most 1/32 wide of what they
// hold, so that percentiles are that exact. No allocation per value. One thread; merged afterwards.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sealane::cli {

class LatencyHistogram {
 public:
  void Add(std::chrono::nanoseconds latency);
  LatencyHistogram& operator+=(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  double max_us() const { return static_cast<double>(max_ns_) / 1000; }
  // The latency that `share` (0 to 1) of all operations did not exceed; 0 if there are none.
  double PercentileUs(double share) const;

  // The layout of bcc's funclatency -u, without its first line: powers of two and stars.
  std::string Funclatency() const;

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

}  // namespace sealane::cli
