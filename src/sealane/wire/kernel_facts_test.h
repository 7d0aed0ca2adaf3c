// SPDX-License-Identifier: Apache-2.0
//
// What the kernel's own headers say, seen from a file that does not include ours: the names are the
// same.
#pragma once

#include <cstdint>
#include <span>

namespace sealane::testing {

struct Fact {
  const char* expression;
  uint64_t value;
};
std::span<const Fact> KernelFacts();

// The kernel's avail and used rings; offsets and sizes in bytes.
struct KernelRing {
  uint64_t avail_entries;
  uint64_t avail_idx;
  uint64_t used_entries;
  uint64_t used_idx;
  uint64_t avail_entry_size;
  uint64_t used_entry_size;
};
KernelRing KernelRingOffsets();
bool KernelNeedsEvent(uint16_t event, uint16_t new_idx, uint16_t old_idx);

}  // namespace sealane::testing
