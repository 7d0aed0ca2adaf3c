// SPDX-License-Identifier: Apache-2.0
#include "pci_device.h"

#include <algorithm>

namespace sealane::testing {
namespace {

constexpr uint16_t kConfigAddressPort = 0xcf8;
constexpr uint16_t kConfigDataPort = 0xcfc;
constexpr uint32_t kConfigEnable = 0x8000'0000;
constexpr uint8_t kNumSlots = 32;

// Offsets in the configuration header (PCI Local Bus 3.0, 6.1).
constexpr uint8_t kId = 0x00;
constexpr uint8_t kCommand = 0x04;
constexpr uint8_t kFirstBar = 0x10;
constexpr uint8_t kCapabilityList = 0x34;

constexpr uint32_t kCommandMemory = 0x2;
constexpr uint32_t kCommandBusMaster = 0x4;
constexpr uint32_t kBarIsIo = 0x1;
constexpr uint32_t kBarTypeMask = 0x6;
constexpr uint32_t kBarIs64Bit = 0x4;
constexpr uint32_t kBarFlags = 0xf;

// Free on a q35 without firmware: above any RAM here, below the I/O APIC.
constexpr uint64_t kMmioBase = 0xfe00'0000;

// More capabilities than fit into the configuration space mean that the list is a loop.
constexpr int kMaxCapabilities = 48;

constexpr uint8_t Plus(uint8_t offset, size_t add) { return static_cast<uint8_t>(offset + add); }

}  // namespace

std::optional<PciDevice> PciDevice::Find(QtestClient& qtest, uint16_t vendor, uint16_t device) {
  const uint32_t wanted = uint32_t{device} << 16 | vendor;
  for (uint8_t slot = 0; slot < kNumSlots; ++slot) {
    const PciDevice candidate(qtest, slot);
    if (candidate.ReadConfig(kId, AccessSize::k4) == wanted) return candidate;
  }
  return std::nullopt;
}

uint32_t PciDevice::ReadConfig(uint8_t offset, AccessSize size) const {
  const uint32_t address = kConfigEnable | uint32_t{slot_} << 11 | (offset & 0xfcU);
  qtest_->Out(kConfigAddressPort, AccessSize::k4, address);
  return qtest_->In(static_cast<uint16_t>(kConfigDataPort + (offset & 3)), size);
}

void PciDevice::WriteConfig(uint8_t offset, AccessSize size, uint32_t value) const {
  const uint32_t address = kConfigEnable | uint32_t{slot_} << 11 | (offset & 0xfcU);
  qtest_->Out(kConfigAddressPort, AccessSize::k4, address);
  qtest_->Out(static_cast<uint16_t>(kConfigDataPort + (offset & 3)), size, value);
}

void PciDevice::PlaceBars() {
  uint64_t next = kMmioBase;
  for (size_t i = 0; i < bars_.size(); ++i) {
    const uint8_t offset = Plus(kFirstBar, 4 * i);
    WriteConfig(offset, AccessSize::k4, 0xffff'ffff);
    const uint32_t mask = ReadConfig(offset, AccessSize::k4);
    if (mask == 0 || (mask & kBarIsIo) != 0) continue;
    const uint64_t size = uint64_t{~(mask & ~kBarFlags)} + 1;
    next = (next + size - 1) / size * size;
    bars_[i] = next;
    WriteConfig(offset, AccessSize::k4, static_cast<uint32_t>(next));
    next += size;
    if ((mask & kBarTypeMask) != kBarIs64Bit) continue;
    WriteConfig(Plus(offset, 4), AccessSize::k4, 0);
    ++i;  // the upper half
  }
  WriteConfig(kCommand, AccessSize::k2, kCommandMemory | kCommandBusMaster);
}

std::vector<uint8_t> PciDevice::Capabilities(uint8_t id) const {
  std::vector<uint8_t> found;
  auto offset = static_cast<uint8_t>(ReadConfig(kCapabilityList, AccessSize::k1));
  for (int i = 0; offset != 0 && i < kMaxCapabilities; ++i) {
    if (ReadConfig(offset, AccessSize::k1) == id) found.push_back(offset);
    offset = static_cast<uint8_t>(ReadConfig(Plus(offset, 1), AccessSize::k1));
  }
  return found;
}

}  // namespace sealane::testing
