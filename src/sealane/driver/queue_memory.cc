// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/queue_memory.h"

#include <algorithm>
#include <utility>

#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

using Clock = std::chrono::steady_clock;

// For poll(2), rounded up so that a wait does not end before its deadline.
int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  constexpr std::chrono::milliseconds kMost = std::chrono::hours(24);
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kMost).count());
}

}  // namespace

Result<QueueMemory> CreateQueue(const Transport& transport, uint32_t size) {
  if (!wire::IsValidQueueSize(size)) return Error{ErrorCode::kInvalid, "impossible queue size"};
  const auto layout = ring::driver::LayoutFor(size);
  SL_ASSIGN_OR_RETURN(DmaBuffer memory, transport.memory()->Allocate(layout.total));
  const mem::GuestRange block = memory.range();
  const ring::driver::SplitQueueMemory parts{
      .desc = block.Sub(layout.desc, wire::DescTableSize(size)),
      .avail = block.Sub(layout.avail, wire::AvailRingSize(size)),
      .used = block.Sub(layout.used, wire::UsedRingSize(size))};
  const bool event_idx = wire::HasFeature(transport.features(), wire::VIRTIO_RING_F_EVENT_IDX);
  SL_ASSIGN_OR_RETURN(auto queue, ring::driver::SplitQueue::Create(size, parts, event_idx));
  const uint64_t base = Raw(memory.addr());
  const RingLocation location{.size = size,
                              .desc = mem::GuestAddr{base + layout.desc},
                              .avail = mem::GuestAddr{base + layout.avail},
                              .used = mem::GuestAddr{base + layout.used}};
  return QueueMemory{std::move(memory), location, std::move(queue)};
}

void SleepForInterrupt(ring::driver::SplitQueue& queue, const Transport& transport, uint16_t index,
                       Clock::time_point deadline) {
  if (queue.EnableInterrupts()) {
    transport.WaitForInterrupt(index, MillisecondsUntil(deadline));
    // Before the caller looks at the ring: what is rung from now on wakes the next sleep.
    transport.interrupt(index).Drain();
  }
  queue.DisableInterrupts();
}

void SleepForRing(ring::driver::SplitQueue& queue, const Transport& transport, uint16_t index,
                  Clock::time_point deadline) {
  do {
    SleepForInterrupt(queue, transport, index, deadline);
  } while (!queue.HasUsed() && !transport.IsBroken(index) && Clock::now() < deadline);
}

}  // namespace sealane::driver
