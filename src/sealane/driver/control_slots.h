// SPDX-License-Identifier: Apache-2.0
//
// ControlSlots: the shared memory of control requests: each slot holds a request, its keys and the
// device's answer (virtio 1.3, 5.9.7.2). Keys are wiped when their slot comes free. What the device
// wrote is read once and checked. Belongs to whoever holds the control path's lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/control_request.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/status.h"
#include "sealane/ring/driver/split_queue.h"

namespace sealane::driver {

class ControlSlots {
 public:
  static constexpr uint32_t kMaxDescriptors = 2;  // of one request: all that is read, the answer

  static Result<ControlSlots> Create(std::shared_ptr<DmaRegion> memory, size_t num_slots);

  // A request's buffers, as the device knows them.
  struct Chain {
    ring::driver::Buffer readable;
    ring::driver::Buffer writable;
  };
  // Fills the slot. Keys that do not fit get memory of their own, which fails when there is none.
  Result<Chain> Fill(size_t slot, const ControlRequest& request, bool creates);

  // What the device answered with `used_len` bytes: the new session's id, or the slot's 0 for a
  // session that was closed.
  Outcome<SessionId> ReadAnswer(size_t slot, uint32_t used_len) const;

  bool creates(size_t slot) const { return slots_[slot].creates; }

  // Wipes the keys. The device must be done with the slot.
  void Clear(size_t slot);

 private:
  struct Slot {
    bool creates = false;
    size_t keys_offset = 0;
    size_t num_key_bytes = 0;
    DmaBuffer large;  // of a request whose keys do not fit
  };

  ControlSlots(std::shared_ptr<DmaRegion> memory, DmaBuffer slot_memory, size_t num_slots);
  mem::GuestRange MemoryOf(size_t slot) const;
  mem::GuestAddr AddressOf(size_t slot) const;

  std::shared_ptr<DmaRegion> memory_;
  DmaBuffer slot_memory_;
  std::vector<Slot> slots_;
};

}  // namespace sealane::driver
