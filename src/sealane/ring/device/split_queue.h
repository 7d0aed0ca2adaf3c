// SPDX-License-Identifier: Apache-2.0
//
// The device's side of a split virtqueue (virtio 1.3, 2.7). The driver is not trusted: every ring
// field is loaded once and checked, and a queue whose indices make no sense is broken: it stops,
// and its owner says so.
//
// Owned by whoever runs the queue; one thread at a time. Memory order:
// docs/adr/0003-memory-order.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "sealane/base/result.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/mem/guest_memory.h"
#include "sealane/ring/descriptor_chain.h"

namespace sealane::ring {

// Where the parts of a ring lie: in the guest's addresses or in the front-end's, as whoever set it
// up speaks.
template <class Addr>
struct RingAddresses {
  Addr desc{};
  Addr avail{};
  Addr used{};
};
using RingLocation = std::variant<RingAddresses<mem::GuestAddr>, RingAddresses<mem::FrontendAddr>>;

// What was negotiated about notifications, as far as the device knows (2.7.7, 2.7.10).
enum class EventMode : uint8_t {
  kFlags,     // no EVENT_IDX: the flags fields count
  kEventIdx,  // EVENT_IDX: the event fields count
  kUnknown,   // the front-end does not say (QEMU's cryptodev): serve both kinds of driver
};

// A finished chain.
struct Completion {
  uint16_t head;
  uint32_t len;  // bytes that were written, counted from the chain's first writable byte
};

namespace device {

class SplitQueue {
 public:
  struct Config {
    uint32_t size = 0;  // a power of two, 1 to 32768
    RingLocation location;
    EventMode event_mode = EventMode::kFlags;
    uint16_t next_avail = 0;  // where the device goes on reading
  };

  // Fails on a bad size, on misaligned parts, and on parts that are not inside one memory region
  // each.
  static Result<SplitQueue> Create(std::shared_ptr<const mem::GuestMemory> memory,
                                   const Config& config);

  // Move-only: two copies would both answer for the same ring.
  SplitQueue(SplitQueue&&) = default;
  SplitQueue& operator=(SplitQueue&&) = default;

  // Goes on with another memory table. On failure the queue is broken. No chain may be out.
  Result<void> SetMemory(std::shared_ptr<const mem::GuestMemory> memory);

  // Fills chains from the front with what the driver has made available and returns how many. The
  // index is loaded once. Returns 0 for ever once the queue is broken.
  size_t Pop(std::span<DescriptorChain* const> chains);

  // Gives chains back, publishing them with one store of the index.
  void Complete(std::span<const Completion> completions);

  // Whether the driver wants an interrupt for what was completed since the last call.
  bool NeedsNotify();

  // Asks the driver for kicks again. Returns whether more is available already, which the driver
  // may not kick for.
  bool EnableKicks();
  // Says that kicks are not needed now. A kick may still come.
  void DisableKicks();

  bool broken() const { return broken_; }
  uint32_t size() const { return size_; }
  uint16_t next_avail() const { return next_avail_; }

 private:
  SplitQueue() = default;
  Result<void> Resolve();
  uint8_t* AvailAt(size_t offset) const { return avail_ + offset; }
  uint8_t* UsedAt(size_t offset) const { return used_ + offset; }

  std::shared_ptr<const mem::GuestMemory> memory_;
  RingLocation location_;
  mem::GuestRange desc_;
  uint8_t* avail_ = nullptr;
  uint8_t* used_ = nullptr;
  uint32_t size_ = 0;
  EventMode event_mode_ = EventMode::kFlags;
  uint16_t next_avail_ = 0;
  uint16_t next_used_ = 0;
  uint16_t notified_used_ = 0;  // next_used_ at the last NeedsNotify
  bool broken_ = false;
};

}  // namespace device
}  // namespace sealane::ring
