// SPDX-License-Identifier: Apache-2.0
//
// DriverRing: a split virtqueue as the simplest driver writes it, so that nothing of Sealane's own
// driver is part of the oracle. The caller owns the descriptor slots. One thread; the device reads
// and writes the same memory meanwhile.
#pragma once

#include <cstdint>
#include <optional>

#include "guest_ram.h"
#include "sealane/wire/virtio_ring.h"
#include "virtio_pci.h"

namespace sealane::testing {

class DriverRing {
 public:
  // Allocates and zeroes the ring. `ram` must outlive it.
  DriverRing(GuestRam& ram, uint16_t size);

  uint16_t size() const { return size_; }
  const RingAddresses& addresses() const { return addresses_; }

  void SetDescriptor(uint16_t slot, const wire::vring_desc& desc);

  // Makes a chain available; the device sees it from the next Publish on.
  void Push(uint16_t head);
  void Publish();

  // The next used entry, if the device has written one.
  std::optional<wire::vring_used_elem> PopUsed();
  bool device_wants_kicks() const;
  uint16_t num_outstanding() const { return static_cast<uint16_t>(avail_idx_ - used_idx_); }

 private:
  uint16_t Load(uint64_t addr) const;

  GuestRam* ram_;
  uint16_t size_;
  RingAddresses addresses_;
  uint16_t avail_idx_ = 0;
  uint16_t used_idx_ = 0;
};

}  // namespace sealane::testing
