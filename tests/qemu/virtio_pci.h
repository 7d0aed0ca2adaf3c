// SPDX-License-Identifier: Apache-2.0
//
// VirtioPci: the driver's side of a modern virtio device on PCI (virtio 1.3, 4.1.4): its common
// configuration, notifications and device configuration. Borrows the QtestClient. One thread.
#pragma once

#include <cstdint>
#include <optional>

#include "pci_device.h"
#include "qtest_client.h"

namespace sealane::testing {

// Guest addresses of a split ring's three parts.
struct RingAddresses {
  uint64_t desc = 0;
  uint64_t avail = 0;
  uint64_t used = 0;
};

class VirtioPci {
 public:
  // Places the BARs and reads where everything is. Nothing if a structure is missing.
  static std::optional<VirtioPci> Open(QtestClient& qtest, PciDevice pci);

  // Resets the device and takes it to FEATURES_OK with exactly `features`; false if it refuses.
  bool Negotiate(uint64_t features);
  void DriverOk();
  uint8_t status();

  // The queue's size, as the device proposes it.
  uint16_t QueueSize(uint16_t queue);
  // Switches the queue on. Returns the address that a notification is written to.
  uint64_t EnableQueue(uint16_t queue, const RingAddresses& ring);

  uint32_t ReadDeviceConfig32(uint32_t offset);

 private:
  explicit VirtioPci(QtestClient& qtest) : qtest_(&qtest) {}

  uint64_t Common(uint32_t offset, AccessSize size);
  void SetCommon(uint32_t offset, AccessSize size, uint64_t value);

  QtestClient* qtest_;
  uint64_t common_ = 0;
  uint64_t notify_ = 0;
  uint64_t device_ = 0;
  uint32_t notify_multiplier_ = 0;
};

}  // namespace sealane::testing
