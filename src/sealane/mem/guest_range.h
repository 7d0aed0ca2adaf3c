// SPDX-License-Identifier: Apache-2.0
//
// GuestRange: a piece of guest memory that was translated and bounds-checked once, and lies in one
// mapping. It gives no pointer and no reference: bytes are copied out and in. It does not own the
// mapping; whoever holds the GuestMemory that made it does. A value; reading and writing from
// several threads is the peer's own business.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace sealane::mem {

class GuestRange {
 public:
  GuestRange() = default;
  GuestRange(uint8_t* data, size_t size) : data_(data), size_(size) {}

  size_t size() const { return size_; }

  // The part at [offset, offset + len). The caller has checked that it lies inside (SL_CHECK).
  GuestRange Sub(size_t offset, size_t len) const;

  // Copies out.size() bytes from `offset`, each read once; the caller has checked the bounds
  // (SL_CHECK).
  void CopyTo(size_t offset, std::span<uint8_t> out) const;

  // Copies the bytes to `offset`; the caller has checked the bounds (SL_CHECK).
  void CopyFrom(size_t offset, std::span<const uint8_t> bytes) const;

  template <class T>
  T Read(size_t offset) const {
    static_assert(std::has_unique_object_representations_v<T>);
    std::array<uint8_t, sizeof(T)> bytes;
    CopyTo(offset, bytes);
    return std::bit_cast<T>(bytes);
  }

 private:
  friend uint8_t* RawData(const GuestRange& range);
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace sealane::mem
