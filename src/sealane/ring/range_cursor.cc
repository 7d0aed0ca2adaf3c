// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/range_cursor.h"

#include <algorithm>

namespace sealane::ring {

mem::GuestRange RangeCursor::Next(uint64_t len) {
  while (!ranges_.empty() && ranges_.front().size() == 0) ranges_ = ranges_.subspan(1);
  if (ranges_.empty()) return {};
  const mem::GuestRange& front = ranges_.front();
  const auto part = std::min<uint64_t>(len, front.size() - offset_);
  const mem::GuestRange piece = front.Sub(offset_, part);
  offset_ += part;
  if (offset_ == front.size()) {
    ranges_ = ranges_.subspan(1);
    offset_ = 0;
  }
  return piece;
}

uint64_t RangeCursor::Skip(uint64_t len) {
  uint64_t left = len;
  while (left != 0) {
    const mem::GuestRange piece = Next(left);
    if (piece.size() == 0) break;
    left -= piece.size();
  }
  return len - left;
}

bool RangeCursor::CopyOut(std::span<uint8_t> out) {
  while (!out.empty()) {
    const mem::GuestRange piece = Next(out.size());
    if (piece.size() == 0) return false;
    piece.CopyTo(0, out.first(piece.size()));
    out = out.subspan(piece.size());
  }
  return true;
}

bool RangeCursor::CopyIn(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const mem::GuestRange piece = Next(bytes.size());
    if (piece.size() == 0) return false;
    piece.CopyFrom(0, bytes.first(piece.size()));
    bytes = bytes.subspan(piece.size());
  }
  return true;
}

}  // namespace sealane::ring
