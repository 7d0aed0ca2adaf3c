// SPDX-License-Identifier: Apache-2.0
//
// RangeCursor: goes once through the ranges of a chain, whatever pieces the driver cut its request
// into. Copies out or in what decisions depend on, and hands out the rest as ranges. One thread;
// does not own the ranges.
#pragma once

#include <cstdint>
#include <span>

#include "sealane/mem/guest_range.h"

namespace sealane::ring {

class RangeCursor {
 public:
  explicit RangeCursor(std::span<const mem::GuestRange> ranges) : ranges_(ranges) {}

  // Copies the next out.size() bytes, each read once. False if there are fewer left.
  [[nodiscard]] bool CopyOut(std::span<uint8_t> out);

  // Copies the bytes to the next bytes.size() places. False if there are fewer left.
  [[nodiscard]] bool CopyIn(std::span<const uint8_t> bytes);

  // Passes over the next `len` bytes, or what is left if that is less. Returns how many.
  uint64_t Skip(uint64_t len);

  // The next piece, of at most `len` bytes (not 0); empty at the end.
  mem::GuestRange Next(uint64_t len);

 private:
  std::span<const mem::GuestRange> ranges_;
  size_t offset_ = 0;  // inside the first of ranges_
};

}  // namespace sealane::ring
