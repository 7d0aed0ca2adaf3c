// SPDX-License-Identifier: Apache-2.0
//
// The shape of an op's payload: how much there is, and whether it is one piece. Pure functions over
// segments that the op's maker owns. The bytes may be guest memory, which can change at any time,
// so nothing here looks at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/crypto/bounce_buffer.h"
#include "sealane/crypto/op.h"

namespace sealane::crypto {

// A list of segments seen as a whole.
struct PayloadShape {
  uint8_t* data = nullptr;  // where it begins; null if it is empty
  size_t size = 0;          // total bytes; only up to the limit, see MeasurePayload
  bool fits = true;         // the total is at most the limit
  bool contiguous = true;   // one piece: each segment begins where the one before ends
};

// Empty segments count for nothing. Stops at the first segment that exceeds `limit`, so the sum
// cannot overflow.
PayloadShape MeasurePayload(std::span<const Segment> segments, uint64_t limit);

// Whether two pieces of `len` bytes are the same memory or have no byte in common: the only cases
// in which a cipher may write while it reads.
bool AreSameOrDisjoint(const uint8_t* a, const uint8_t* b, size_t len);

// The segments' total is the span's size.
void GatherPayload(std::span<const Segment> from, std::span<uint8_t> to);
// The segments' total is the span's size, or more.
void ScatterPayload(std::span<const uint8_t> from, std::span<const Segment> to);

// Whether an op's lists have the totals that it says.
bool HaveTheirTotals(const Op& op);

// Source and destination of an op, op.len bytes each, as two pieces that are the same or do not
// overlap: where the op has them if they are so there, else in the bounce buffer, which then holds
// all of the source before anything is written. One thread; a local of one operation.
class PayloadPair {
 public:
  PayloadPair(const Op& op, BounceBuffer& bounce);

  // False: memory ran out.
  bool is_there() const { return is_there_; }
  const uint8_t* in() const { return in_; }
  uint8_t* out() const { return out_; }
  size_t size() const { return size_; }

  // Copies the result to where it belongs, if it is not there already.
  void Deliver() const {
    if (is_bounced_) ScatterPayload({out_, size_}, dst_);
  }

 private:
  std::span<const Segment> dst_;
  const uint8_t* in_ = nullptr;
  uint8_t* out_ = nullptr;
  size_t size_ = 0;
  bool is_there_ = true;
  bool is_bounced_ = false;
};

}  // namespace sealane::crypto
