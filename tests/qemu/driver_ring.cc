// SPDX-License-Identifier: Apache-2.0
#include "driver_ring.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace sealane::testing {
namespace {

static_assert(std::endian::native == std::endian::little, "shared indices are loaded as they are");

constexpr size_t kPage = 4096;

std::atomic_ref<uint16_t> SharedIndex(const GuestRam& ram, uint64_t addr) {
  // SAFETY: ring parts are page-aligned and their 16-bit fields stand at even offsets.
  return std::atomic_ref(*reinterpret_cast<uint16_t*>(ram.At(addr, sizeof(uint16_t)).data()));
}

}  // namespace

DriverRing::DriverRing(GuestRam& ram, uint16_t size) : ram_(&ram), size_(size) {
  const auto allocate = [&ram](size_t len) {
    const uint64_t addr = ram.Allocate(len, kPage);
    std::ranges::fill(ram.At(addr, len), uint8_t{0});
    return addr;
  };
  addresses_.desc = allocate(wire::DescTableSize(size));
  addresses_.avail = allocate(wire::AvailRingSize(size));
  addresses_.used = allocate(wire::UsedRingSize(size));
}

void DriverRing::SetDescriptor(uint16_t slot, const wire::vring_desc& desc) {
  const auto bytes = ram_->At(addresses_.desc + slot * sizeof desc, sizeof desc);
  std::memcpy(bytes.data(), &desc, sizeof desc);
}

void DriverRing::Push(uint16_t head) {
  const auto slot = static_cast<size_t>(avail_idx_ % size_);
  const auto bytes = ram_->At(addresses_.avail + wire::AvailEntryOffset(slot), sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  ++avail_idx_;
}

void DriverRing::Publish() {
  // Everything that the chains point to comes before; the device reads the index first. Also
  // ordered before the following load in device_wants_kicks(), against the device's own pair.
  SharedIndex(*ram_, addresses_.avail + wire::kRingIdxOffset).store(avail_idx_);
}

std::optional<wire::vring_used_elem> DriverRing::PopUsed() {
  if (Load(addresses_.used + wire::kRingIdxOffset) == used_idx_) return std::nullopt;
  const auto slot = static_cast<size_t>(used_idx_ % size_);
  wire::vring_used_elem entry;
  const auto bytes = ram_->At(addresses_.used + wire::UsedEntryOffset(slot), sizeof entry);
  std::memcpy(&entry, bytes.data(), sizeof entry);
  ++used_idx_;
  return entry;
}

bool DriverRing::device_wants_kicks() const {
  return (Load(addresses_.used + wire::kRingFlagsOffset) & wire::VRING_USED_F_NO_NOTIFY) == 0;
}

uint16_t DriverRing::Load(uint64_t addr) const {
  return SharedIndex(*ram_, addr).load();  // pairs with the device's release of the used index
}

}  // namespace sealane::testing
