// SPDX-License-Identifier: Apache-2.0
//
// PciDevice: one function on bus 0 of a PC, by configuration mechanism #1 (ports 0xcf8 and 0xcfc;
// PCI Local Bus 3.0, 3.2.2.3.2). With no firmware in the guest, this also places its BARs. Borrows
// the QtestClient. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "qtest_client.h"

namespace sealane::testing {

class PciDevice {
 public:
  // The first device on bus 0 with these ids.
  static std::optional<PciDevice> Find(QtestClient& qtest, uint16_t vendor, uint16_t device);

  uint32_t ReadConfig(uint8_t offset, AccessSize size) const;
  void WriteConfig(uint8_t offset, AccessSize size, uint32_t value) const;

  // Gives every memory BAR an address and switches on memory access and bus mastering.
  void PlaceBars();

  // Where a memory BAR is; 0 for one that the device does not have.
  uint64_t bar(size_t index) const { return index < bars_.size() ? bars_[index] : 0; }

  // The configuration offsets of all capabilities with this id, in the device's order.
  std::vector<uint8_t> Capabilities(uint8_t id) const;

 private:
  PciDevice(QtestClient& qtest, uint8_t slot) : qtest_(&qtest), slot_(slot) {}

  QtestClient* qtest_;
  uint8_t slot_;
  std::array<uint64_t, 6> bars_{};
};

}  // namespace sealane::testing
