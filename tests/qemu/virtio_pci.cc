// SPDX-License-Identifier: Apache-2.0
#include "virtio_pci.h"

#include "sealane/wire/virtio_ring.h"

namespace sealane::testing {
namespace {

constexpr uint8_t kVendorCapability = 0x09;

// struct virtio_pci_cap (4.1.4).
constexpr uint8_t kCapType = 3;
constexpr uint8_t kCapBar = 4;
constexpr uint8_t kCapOffset = 8;
constexpr uint8_t kCapNotifyMultiplier = 16;
constexpr uint32_t kTypeCommon = 1;
constexpr uint32_t kTypeNotify = 2;
constexpr uint32_t kTypeDevice = 4;

// struct virtio_pci_common_cfg (4.1.4.3).
constexpr uint32_t kDeviceFeatureSelect = 0;
constexpr uint32_t kDeviceFeature = 4;
constexpr uint32_t kDriverFeatureSelect = 8;
constexpr uint32_t kDriverFeature = 12;
constexpr uint32_t kDeviceStatus = 20;
constexpr uint32_t kQueueSelect = 22;
constexpr uint32_t kQueueSize = 24;
constexpr uint32_t kQueueEnable = 28;
constexpr uint32_t kQueueNotifyOff = 30;
constexpr uint32_t kQueueDesc = 32;
constexpr uint32_t kQueueDriver = 40;
constexpr uint32_t kQueueDevice = 48;

constexpr uint8_t Plus(uint8_t offset, uint8_t add) { return static_cast<uint8_t>(offset + add); }

}  // namespace

std::optional<VirtioPci> VirtioPci::Open(QtestClient& qtest, PciDevice pci) {
  pci.PlaceBars();
  VirtioPci virtio(qtest);
  for (const uint8_t cap : pci.Capabilities(kVendorCapability)) {
    const uint64_t addr = pci.bar(pci.ReadConfig(Plus(cap, kCapBar), AccessSize::k1)) +
                          pci.ReadConfig(Plus(cap, kCapOffset), AccessSize::k4);
    const uint32_t type = pci.ReadConfig(Plus(cap, kCapType), AccessSize::k1);
    if (type == kTypeCommon) virtio.common_ = addr;
    if (type == kTypeDevice) virtio.device_ = addr;
    if (type != kTypeNotify) continue;
    virtio.notify_ = addr;
    virtio.notify_multiplier_ = pci.ReadConfig(Plus(cap, kCapNotifyMultiplier), AccessSize::k4);
  }
  if (virtio.common_ == 0 || virtio.notify_ == 0 || virtio.device_ == 0) return std::nullopt;
  return virtio;
}

uint64_t VirtioPci::Common(uint32_t offset, AccessSize size) {
  return qtest_->Read(common_ + offset, size);
}

void VirtioPci::SetCommon(uint32_t offset, AccessSize size, uint64_t value) {
  qtest_->Write(common_ + offset, size, value);
}

bool VirtioPci::Negotiate(uint64_t features) {
  SetCommon(kDeviceStatus, AccessSize::k1, 0);
  while (qtest_->ok() && status() != 0) {
  }
  uint8_t progress = wire::VIRTIO_CONFIG_S_ACKNOWLEDGE | wire::VIRTIO_CONFIG_S_DRIVER;
  SetCommon(kDeviceStatus, AccessSize::k1, progress);
  uint64_t offered = 0;
  for (unsigned half = 0; half < 2; ++half) {
    SetCommon(kDeviceFeatureSelect, AccessSize::k4, half);
    offered |= Common(kDeviceFeature, AccessSize::k4) << (32 * half);
    SetCommon(kDriverFeatureSelect, AccessSize::k4, half);
    SetCommon(kDriverFeature, AccessSize::k4, (features >> (32 * half)) & 0xffff'ffff);
  }
  if ((features & ~offered) != 0) return false;
  progress |= wire::VIRTIO_CONFIG_S_FEATURES_OK;
  SetCommon(kDeviceStatus, AccessSize::k1, progress);
  return status() == progress;
}

void VirtioPci::DriverOk() {
  SetCommon(kDeviceStatus, AccessSize::k1, status() | wire::VIRTIO_CONFIG_S_DRIVER_OK);
}

uint8_t VirtioPci::status() { return static_cast<uint8_t>(Common(kDeviceStatus, AccessSize::k1)); }

uint16_t VirtioPci::QueueSize(uint16_t queue) {
  SetCommon(kQueueSelect, AccessSize::k2, queue);
  return static_cast<uint16_t>(Common(kQueueSize, AccessSize::k2));
}

uint64_t VirtioPci::EnableQueue(uint16_t queue, const RingAddresses& ring) {
  SetCommon(kQueueSelect, AccessSize::k2, queue);
  SetCommon(kQueueDesc, AccessSize::k8, ring.desc);
  SetCommon(kQueueDriver, AccessSize::k8, ring.avail);
  SetCommon(kQueueDevice, AccessSize::k8, ring.used);
  const uint64_t offset = Common(kQueueNotifyOff, AccessSize::k2);
  SetCommon(kQueueEnable, AccessSize::k2, 1);
  return notify_ + offset * notify_multiplier_;
}

uint32_t VirtioPci::ReadDeviceConfig32(uint32_t offset) {
  return static_cast<uint32_t>(qtest_->Read(device_ + offset, AccessSize::k4));
}

}  // namespace sealane::testing
