// SPDX-License-Identifier: Apache-2.0
//
// Le<T>, Be<T>: integers as they lie in little- or big-endian wire structures. Reading and writing
// is always spelt out (.get(), .set()), so that no wire value slips into arithmetic unconverted.
// Any bytes are valid.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace sealane {

template <std::unsigned_integral T, std::endian kOrder>
class WireInt {
 public:
  constexpr WireInt() = default;
  constexpr explicit WireInt(T value) : raw_(Swap(value)) {}
  constexpr T get() const { return Swap(raw_); }
  constexpr void set(T value) { raw_ = Swap(value); }
  friend constexpr bool operator==(WireInt, WireInt) = default;

 private:
  static constexpr T Swap(T value) {
    return kOrder == std::endian::native ? value : std::byteswap(value);
  }
  T raw_ = 0;
};

template <std::unsigned_integral T>
using Le = WireInt<T, std::endian::little>;
template <std::unsigned_integral T>
using Be = WireInt<T, std::endian::big>;

using Le16 = Le<uint16_t>;
using Le32 = Le<uint32_t>;
using Le64 = Le<uint64_t>;

}  // namespace sealane
