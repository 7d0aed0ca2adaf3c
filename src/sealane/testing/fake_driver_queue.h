// SPDX-License-Identifier: Apache-2.0
//
// FakeDriverQueue: the driver's side of a split virtqueue for tests and fuzzing. It writes whatever
// it is told, right or wrong, at the places the specification gives (virtio 1.3, 2.7), and shares
// no code with our driver. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sealane/ring/device/split_queue.h"
#include "sealane/testing/guest_fixture.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::testing {

class FakeDriverQueue {
 public:
  struct UsedElem {
    uint32_t id;
    uint32_t len;
    bool operator==(const UsedElem&) const = default;
  };

  FakeDriverQueue(GuestFixture& guest, uint32_t size, uint16_t first_idx = 0);

  ring::RingLocation location() const { return addresses_; }
  // The same place in the front-end's addresses.
  ring::RingLocation frontend_location() const;
  const ring::RingAddresses<mem::GuestAddr>& addresses() const { return addresses_; }
  uint32_t size() const { return size_; }

  void SetDesc(uint32_t index, mem::GuestAddr addr, uint32_t len, uint16_t flags,
               uint16_t next = 0);

  // Puts a head into the next place of the avail ring; Publish makes all of them visible.
  void Offer(uint16_t head);
  void Publish() { PublishIdx(next_avail_); }
  void PublishIdx(uint16_t idx);

  // Whether this driver, having shown the entries since `old_idx`, must kick (2.7.10): by
  // used.flags, or with EVENT_IDX if one of these entries is the one that avail_event names.
  bool MustKick(bool event_idx, uint16_t old_idx) const;

  void SetAvailFlags(uint16_t flags);
  void SetUsedEvent(uint16_t event);
  uint16_t used_flags() const;
  uint16_t avail_event() const;
  uint16_t used_idx() const;
  // As if the used ring had been in use before; TakeUsed goes on from here.
  void SetUsedIdx(uint16_t idx);
  uint16_t next_avail() const { return next_avail_; }
  uint16_t next_used() const { return next_used_; }

  // What the device has put into the used ring since the last call.
  std::vector<UsedElem> TakeUsed();

 private:
  uint16_t Get16(mem::GuestAddr part, size_t offset, std::memory_order order) const;
  void Set16(mem::GuestAddr part, size_t offset, uint16_t value, std::memory_order order);

  GuestFixture& guest_;
  uint32_t size_;
  ring::RingAddresses<mem::GuestAddr> addresses_;
  uint16_t next_avail_;
  uint16_t next_used_;
};

}  // namespace sealane::testing
