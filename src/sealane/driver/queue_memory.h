// SPDX-License-Identifier: Apache-2.0
//
// QueueMemory: a new virtqueue with its memory in a transport's DMA region, and how a thread sleeps
// until the device has used something. Pure functions over objects of the caller's.
#pragma once

#include <chrono>
#include <cstdint>

#include "sealane/base/result.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/transport.h"
#include "sealane/ring/driver/split_queue.h"

namespace sealane::driver {

struct QueueMemory {
  DmaBuffer memory;  // outlives the queue
  RingLocation location;
  ring::driver::SplitQueue queue;
};

// A queue of `size` descriptors, initialised but not yet known to the device. EVENT_IDX as the
// transport negotiated it.
Result<QueueMemory> CreateQueue(const Transport& transport, uint32_t size);

// Asks for an interrupt and sleeps until one comes, the device gave the queue up, or the deadline
// passed; at once if there is a used entry. May also return for no reason. Interrupts are off
// afterwards.
void SleepForInterrupt(ring::driver::SplitQueue& queue, const Transport& transport, uint16_t index,
                       std::chrono::steady_clock::time_point deadline);

// The same until the queue has a used entry, the device gave it up, or the deadline passed;
// whichever it was is for the caller to look at.
void SleepForRing(ring::driver::SplitQueue& queue, const Transport& transport, uint16_t index,
                  std::chrono::steady_clock::time_point deadline);

}  // namespace sealane::driver
