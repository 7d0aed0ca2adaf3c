// SPDX-License-Identifier: Apache-2.0
#include "sealane/wire/kernel_facts_test.h"

// The legacy part of the kernel's header is C only.
#define VIRTIO_RING_NO_LEGACY
#include <linux/virtio_crypto.h>
#include <linux/virtio_ring.h>

#include <array>
#include <cstddef>

namespace sealane::testing {
namespace {

#define FACT(expression) Fact{#expression, static_cast<uint64_t>(expression)},
constexpr auto kFacts = std::to_array<Fact>({
#include "sealane/wire/kernel_facts.inc"
});
#undef FACT

}  // namespace

std::span<const Fact> KernelFacts() { return kFacts; }

KernelRing KernelRingOffsets() {
  return {.avail_entries = offsetof(vring_avail, ring),
          .avail_idx = offsetof(vring_avail, idx),
          .used_entries = offsetof(vring_used, ring),
          .used_idx = offsetof(vring_used, idx),
          .avail_entry_size = sizeof(vring_avail::ring[0]),
          .used_entry_size = sizeof(vring_used::ring[0])};
}

bool KernelNeedsEvent(uint16_t event, uint16_t new_idx, uint16_t old_idx) {
  return ::vring_need_event(event, new_idx, old_idx) != 0;
}

}  // namespace sealane::testing
