// SPDX-License-Identifier: Apache-2.0
//
// Compares our wire structures with the kernel's headers.
#include <gtest/gtest.h>

#include <array>

#include "sealane/wire/kernel_facts_test.h"
#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::wire {
namespace {

#define FACT(expression) testing::Fact{#expression, static_cast<uint64_t>(expression)},
constexpr auto kOurFacts = std::to_array<testing::Fact>({
#include "sealane/wire/kernel_facts.inc"
});
#undef FACT

TEST(Wire, Structures_EqualTheKernels) {
  const auto kernel = testing::KernelFacts();
  ASSERT_EQ(kernel.size(), kOurFacts.size());
  for (size_t i = 0; i < kernel.size(); ++i) {
    EXPECT_EQ(kOurFacts[i].value, kernel[i].value) << kernel[i].expression;
  }
}

TEST(Wire, RingOffsets_EqualTheKernels) {
  const testing::KernelRing kernel = testing::KernelRingOffsets();
  EXPECT_EQ(kRingIdxOffset, kernel.avail_idx);
  EXPECT_EQ(kRingIdxOffset, kernel.used_idx);
  EXPECT_EQ(AvailEntryOffset(5), kernel.avail_entries + 5 * kernel.avail_entry_size);
  EXPECT_EQ(UsedEntryOffset(5), kernel.used_entries + 5 * kernel.used_entry_size);
  // The event fields follow the last entry (virtio 1.3, 2.7.6 and 2.7.8).
  EXPECT_EQ(UsedEventOffset(64), AvailEntryOffset(64));
  EXPECT_EQ(AvailEventOffset(64), UsedEntryOffset(64));
  EXPECT_EQ(AvailRingSize(64), 6U + 2 * 64);
  EXPECT_EQ(UsedRingSize(64), 6U + 8 * 64);
}

TEST(Wire, NeedsEvent_EqualsTheKernels) {
  constexpr std::array<uint16_t, 8> kIndices = {0, 1, 2, 255, 32767, 32768, 65534, 65535};
  for (const uint16_t event : kIndices) {
    for (const uint16_t new_idx : kIndices) {
      for (const uint16_t old_idx : kIndices) {
        EXPECT_EQ(NeedsEvent(event, new_idx, old_idx),
                  testing::KernelNeedsEvent(event, new_idx, old_idx));
      }
    }
  }
}

TEST(Wire, QueueSizes_OnlyPowersOfTwoUpTo32768) {
  EXPECT_TRUE(IsValidQueueSize(1));
  EXPECT_TRUE(IsValidQueueSize(32768));
  EXPECT_FALSE(IsValidQueueSize(0));
  EXPECT_FALSE(IsValidQueueSize(3));
  EXPECT_FALSE(IsValidQueueSize(65536));
}

}  // namespace
}  // namespace sealane::wire
