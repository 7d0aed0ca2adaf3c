// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on lengths and addresses that a peer chose: the result, or nothing when it does not
// fit.
#pragma once

#include <concepts>
#include <optional>

namespace sealane {

template <std::unsigned_integral T>
constexpr std::optional<T> CheckedAdd(T a, T b) {
  T sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

template <std::unsigned_integral T>
constexpr std::optional<T> CheckedMul(T a, T b) {
  T product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Whether [offset, offset + len) lies inside [0, size); cannot overflow.
template <std::unsigned_integral T>
constexpr bool FitsWithin(T offset, T len, T size) {
  return offset <= size && len <= size - offset;
}

}  // namespace sealane
