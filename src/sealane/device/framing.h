// SPDX-License-Identifier: Apache-2.0
//
// Framing: how long the fixed parts of requests are and whether they may bring their own session
// parameters, as negotiated (virtio 1.3, 5.9.3). A value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/ring/range_cursor.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::device {

struct Framing {
  bool revision_1 = false;  // fixed parts have their own length; else they are padded to one
  uint32_t stateless = 0;   // bit i: service i also takes stateless requests

  bool TakesStateless(uint32_t service) const {
    return revision_1 && service < 32 && (stateless >> service & 1U) != 0;
  }
};

constexpr Framing FramingOf(uint64_t features) {
  constexpr unsigned kFirst = wire::VIRTIO_CRYPTO_F_CIPHER_STATELESS_MODE;
  constexpr uint32_t kServices = 0x1f;
  if (!wire::HasFeature(features, wire::VIRTIO_CRYPTO_F_REVISION_1)) return {};
  return {.revision_1 = true, .stateless = static_cast<uint32_t>(features >> kFirst) & kServices};
}

// What a fixed part begins with, where the wire has two layouts in one place.
template <class Part, class Whole>
Part BeginningOf(const Whole& whole) {
  static_assert(sizeof(Part) <= sizeof(Whole));
  const auto all = std::bit_cast<std::array<uint8_t, sizeof(Whole)>>(whole);
  std::array<uint8_t, sizeof(Part)> bytes;
  std::copy_n(all.begin(), bytes.size(), bytes.begin());
  return std::bit_cast<Part>(bytes);
}

// The next fixed part, which takes `size` bytes of the request. False if there are fewer left.
template <class Wire>
[[nodiscard]] bool ReadFixed(ring::RangeCursor& cursor, size_t size, Wire& wire) {
  std::array<uint8_t, sizeof(Wire)> own;
  if (!cursor.CopyOut(own)) return false;
  wire = std::bit_cast<Wire>(own);
  return cursor.Skip(size - sizeof(Wire)) == size - sizeof(Wire);
}

}  // namespace sealane::device
