// SPDX-License-Identifier: Apache-2.0
//
// SplitQueue: the driver's side of a split virtqueue (virtio 1.3, section 2.7). It lies in memory
// shared with a device that is not trusted: free descriptors, outstanding chains and their writable
// lengths are kept in private memory, and of the shared memory only the used ring and the device's
// two notification hints are ever read. A used entry that cannot be right makes the queue broken()
// for good. Belongs to one thread at a time; does not own the ring memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/mem/guest_range.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::ring::driver {

// One descriptor's worth of memory, by the address that the device knows it under.
struct Buffer {
  mem::GuestAddr addr{};
  uint32_t len = 0;  // bytes, not 0
};

// A chain that the device gave back.
struct Used {
  uint16_t head = 0;  // what Add returned
  uint32_t len = 0;   // bytes that the device claims to have written; at most the chain's writable
};

// The three parts of a ring; each at least as long as the queue size asks for.
struct SplitQueueMemory {
  mem::GuestRange desc;
  mem::GuestRange avail;
  mem::GuestRange used;
};

// Where the three parts go in one 64-aligned block. The entries of both rings begin on a cache
// line, and no line is written by both sides.
struct SplitLayout {
  size_t desc = 0;
  size_t avail = 0;
  size_t used = 0;
  size_t total = 0;  // bytes of the block
};
constexpr SplitLayout LayoutFor(uint32_t queue_size) {
  constexpr size_t kLine = 64;
  constexpr auto lines = [](size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; };
  constexpr size_t kLead = kLine - wire::kRingEntriesOffset;  // flags and idx end a line
  SplitLayout layout;
  layout.avail = lines(wire::DescTableSize(queue_size)) + kLead;
  layout.used = lines(layout.avail + wire::AvailRingSize(queue_size)) + kLead;
  layout.total = lines(layout.used + wire::UsedRingSize(queue_size));
  return layout;
}

class SplitQueue {
 public:
  // Initialises the ring, with interrupts off. `event_idx`: VIRTIO_RING_F_EVENT_IDX was negotiated.
  // Fails if the size is not a power of two up to 32768 or the memory is too short or misaligned.
  static Result<SplitQueue> Create(uint32_t size, const SplitQueueMemory& memory, bool event_idx);

  // Adds one chain of direct descriptors, the readable ones first (2.7.4.2), and returns its head.
  // Nothing if there are not enough free descriptors. The device sees it after Publish.
  std::optional<uint16_t> Add(std::span<const Buffer> readable, std::span<const Buffer> writable);

  // Adds a chain that is a table of `num_descriptors` (2.7.5.3) at `table`; needs
  // VIRTIO_RING_F_INDIRECT_DESC. `writable_len` is what the table's writable descriptors add up to.
  // Heads are taken last-in-first-out, and a descriptor that would not change is not written again.
  std::optional<uint16_t> AddIndirect(mem::GuestAddr table, uint32_t num_descriptors,
                                      uint32_t writable_len);

  // Shows the device everything added so far: one index store.
  void Publish();

  // Whether the device asked to be kicked for what was published since the last call. Ask once
  // after every Publish.
  bool NeedsKick();

  // Takes back finished chains, at most done.size(), and returns how many. After an entry that
  // cannot be right (see broken) it returns those before it, then 0 for ever.
  size_t Poll(std::span<Used> done);

  // Whether Poll would find a new used entry; costs one load. May be asked without the lock that
  // guards the rest, by the thread that polls.
  bool HasUsed() const;

  // Asks for an interrupt at the next used entry. Returns false if there is one already: then poll
  // first, the interrupt may not come.
  bool EnableInterrupts();

  // A hint: a few more interrupts may come.
  void DisableInterrupts();

  // Set once the device cannot be trusted any more: its index jumped beyond what is outstanding, or
  // it gave back a chain that it does not have, or claims more bytes than are writable.
  bool broken() const { return broken_.has_value(); }
  const std::optional<Error>& error() const { return broken_; }

  uint32_t size() const { return mask_ + 1U; }
  uint32_t num_free() const { return num_free_; }                // descriptors
  uint32_t num_outstanding() const { return num_outstanding_; }  // chains, published or not

 private:
  // What was last written to a descriptor, and who has it.
  struct Shadow {
    uint64_t addr = 0;
    uint32_t len = 0;
    uint16_t flags = 0;
    uint16_t next = 0;          // the next free descriptor, or the next of the chain
    uint32_t writable_len = 0;  // of a chain's head
    uint16_t num_in_chain = 0;  // of a chain's head
    bool with_device = false;   // head of an outstanding chain
  };

  SplitQueue(uint32_t size, const SplitQueueMemory& memory, bool event_idx);
  void WriteDescriptor(uint16_t index, uint64_t addr, uint32_t len, uint16_t flags);
  void Offer(uint16_t head, uint32_t num_in_chain, uint64_t writable_len);
  const char* CheckUsed(uint32_t id, uint32_t len) const;
  size_t Take(std::span<Used> done);
  void Free(uint16_t head);
  void Break(const char* what) { broken_ = Error{ErrorCode::kBroken, what}; }

  uint8_t* desc_;
  uint8_t* avail_;
  uint8_t* used_;
  uint16_t mask_;
  bool event_idx_;
  uint16_t free_head_ = 0;
  uint16_t next_avail_ = 0;   // free-running, as the ring indices are
  uint16_t published_ = 0;    // the avail index that the device sees
  uint16_t kick_tested_ = 0;  // `published_` when NeedsKick was last asked
  uint16_t last_used_ = 0;
  uint32_t num_free_;
  uint32_t num_outstanding_ = 0;
  std::vector<Shadow> shadow_;
  std::optional<Error> broken_;
};

}  // namespace sealane::ring::driver
