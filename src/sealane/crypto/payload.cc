// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/payload.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sealane::crypto {

PayloadShape MeasurePayload(std::span<const Segment> segments, uint64_t limit) {
  PayloadShape shape;
  const uint8_t* end = nullptr;
  for (const Segment& segment : segments) {
    if (segment.size == 0) continue;
    if (segment.size > limit - shape.size) {
      shape.fits = false;
      return shape;
    }
    if (shape.data == nullptr) {
      shape.data = segment.data;
    } else if (segment.data != end) {
      shape.contiguous = false;
    }
    end = segment.data + segment.size;
    shape.size += segment.size;
  }
  return shape;
}

bool AreSameOrDisjoint(const uint8_t* a, const uint8_t* b, size_t len) {
  // Distances modulo 2^64: each piece must begin at least `len` before or after the other.
  const auto distance = std::bit_cast<uintptr_t>(b) - std::bit_cast<uintptr_t>(a);
  return distance == 0 || (distance >= len && uintptr_t{0} - distance >= len);
}

void GatherPayload(std::span<const Segment> from, std::span<uint8_t> to) {
  for (const Segment& segment : from) {
    if (segment.size == 0) continue;  // its pointer may be null
    std::memcpy(to.first(segment.size).data(), segment.data, segment.size);
    to = to.subspan(segment.size);
  }
}

void ScatterPayload(std::span<const uint8_t> from, std::span<const Segment> to) {
  for (const Segment& segment : to) {
    const size_t size = std::min(segment.size, from.size());
    if (size == 0) continue;
    std::memcpy(segment.data, from.data(), size);
    from = from.subspan(size);
  }
}

bool HaveTheirTotals(const Op& op) {
  const auto is_total = [](std::span<const Segment> segments, uint64_t total) {
    if (segments.size() == 1) return segments.front().size == total;
    const PayloadShape shape = MeasurePayload(segments, total);
    return shape.fits && shape.size == total;
  };
  return is_total(op.src, op.len) && is_total(op.dst, op.out_len) && is_total(op.aad, op.aad_len);
}

PayloadPair::PayloadPair(const Op& op, BounceBuffer& bounce)
    : dst_(op.dst), size_(static_cast<size_t>(op.len)) {
  if (size_ == 0) return;
  if (op.src.size() == 1 && op.dst.size() == 1 &&
      AreSameOrDisjoint(op.src.front().data, op.dst.front().data, size_)) {
    in_ = op.src.front().data;
    out_ = op.dst.front().data;
    return;
  }
  const PayloadShape src = MeasurePayload(op.src, op.len);
  const PayloadShape dst = MeasurePayload(op.dst, op.len);
  if (src.contiguous && dst.contiguous && AreSameOrDisjoint(src.data, dst.data, size_)) {
    in_ = src.data;
    out_ = dst.data;
    return;
  }
  const std::span<uint8_t> memory = bounce.Get(size_);
  is_there_ = !memory.empty();
  if (!is_there_) return;
  GatherPayload(op.src, memory);
  in_ = out_ = memory.data();
  is_bounced_ = true;
}

}  // namespace sealane::crypto
