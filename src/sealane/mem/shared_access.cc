// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/shared_access.h"

#include <cstring>

namespace sealane::mem {
namespace {

bool IsAligned(const uint8_t* at, size_t align) {
  // SAFETY: only the number is used.
  return reinterpret_cast<uintptr_t>(at) % align == 0;
}

template <class Word>
Word LoadWord(const uint8_t* shared) {
  // SAFETY: the caller checked the alignment; atomic_ref wants a mutable object but load only reads
  // it.
  auto* word = const_cast<Word*>(reinterpret_cast<const Word*>(shared));
  return std::atomic_ref(*word).load(std::memory_order_relaxed);
}

template <class Word>
void StoreWord(uint8_t* shared, Word value) {
  // SAFETY: the caller checked the alignment.
  std::atomic_ref(*reinterpret_cast<Word*>(shared)).store(value, std::memory_order_relaxed);
}

}  // namespace

void CopyOnce(uint8_t* to, const uint8_t* shared, size_t size) {
  while (size != 0 && !IsAligned(shared, sizeof(uint64_t))) {
    *to++ = LoadWord<uint8_t>(shared++);
    --size;
  }
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
    const auto word = LoadWord<uint64_t>(shared);
    std::memcpy(to, &word, sizeof word);
    to += sizeof word;
    shared += sizeof word;
  }
  while (size != 0) {
    *to++ = LoadWord<uint8_t>(shared++);
    --size;
  }
}

void CopyIn(uint8_t* shared, const uint8_t* from, size_t size) {
  while (size != 0 && !IsAligned(shared, sizeof(uint64_t))) {
    StoreWord<uint8_t>(shared++, *from++);
    --size;
  }
  for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    StoreWord(shared, word);
    from += sizeof word;
    shared += sizeof word;
  }
  while (size != 0) {
    StoreWord<uint8_t>(shared++, *from++);
    --size;
  }
}

}  // namespace sealane::mem
