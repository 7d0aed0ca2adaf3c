// SPDX-License-Identifier: Apache-2.0
//
// The only place that touches memory shared with a peer through raw pointers. The peer may change
// any byte at any time, so every value is loaded exactly once, by atomic accesses that the compiler
// may neither repeat nor invent, and is then used from the copy (docs/adr/0002-copy-policy.md).
// Pure functions; any thread.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sealane/base/le.h"
#include "sealane/mem/guest_range.h"

namespace sealane::mem {

// Copies `size` bytes out of shared memory, each loaded exactly once, aligned words as words.
void CopyOnce(uint8_t* to, const uint8_t* shared, size_t size);

// Copies `size` bytes into shared memory. Nothing is read back.
void CopyIn(uint8_t* shared, const uint8_t* from, size_t size);

// A 16-byte descriptor in two loads; `shared` is 8-aligned.
template <class T>
T LoadDescriptor(const uint8_t* shared) {
  static_assert(sizeof(T) == 16 && std::has_unique_object_representations_v<T>);
  struct {
    uint64_t low, high;
  } words;
  // SAFETY: 8-aligned and inside one mapped region; atomic_ref wants a mutable object but load only
  // reads it.
  auto* source = const_cast<uint64_t*>(reinterpret_cast<const uint64_t*>(shared));
  words.low = std::atomic_ref(source[0]).load(std::memory_order_relaxed);
  words.high = std::atomic_ref(source[1]).load(std::memory_order_relaxed);
  return std::bit_cast<T>(words);
}

// The 16-bit ring fields (flags, indices, events, heads). `shared` is 2-aligned: rings are checked
// when they are set up. The memory order is the caller's choice, and each call site names its pair.
inline uint16_t Load16(const uint8_t* shared, std::memory_order order) {
  // SAFETY: 2-aligned and inside one mapped region; atomic_ref wants a mutable object but load only
  // reads it.
  auto* field = const_cast<Le16*>(reinterpret_cast<const Le16*>(shared));
  return std::atomic_ref(*field).load(order).get();
}
inline void Store16(uint8_t* shared, uint16_t value, std::memory_order order) {
  // SAFETY: 2-aligned and inside one mapped region.
  std::atomic_ref(*reinterpret_cast<Le16*>(shared)).store(Le16(value), order);
}

// The two halves of a used ring entry, which the index published later makes visible. `shared` is
// 4-aligned.
inline void Store32(uint8_t* shared, uint32_t value, std::memory_order order) {
  // SAFETY: 4-aligned and inside one mapped region.
  std::atomic_ref(*reinterpret_cast<Le32*>(shared)).store(Le32(value), order);
}

// Where a range lies in our address space: for ring code, and for the segments that an engine works
// on.
inline uint8_t* RawData(const GuestRange& range) { return range.data_; }

}  // namespace sealane::mem
