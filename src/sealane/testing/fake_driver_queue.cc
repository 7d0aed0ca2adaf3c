// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/fake_driver_queue.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sealane/mem/shared_access.h"

namespace sealane::testing {

using mem::GuestAddr;

FakeDriverQueue::FakeDriverQueue(GuestFixture& guest, uint32_t size, uint16_t first_idx)
    : guest_(guest), size_(size), next_avail_(first_idx), next_used_(first_idx) {
  addresses_ = {.desc = guest.Allocate(wire::DescTableSize(size), wire::kDescTableAlign),
                .avail = guest.Allocate(wire::AvailRingSize(size), wire::kAvailRingAlign),
                .used = guest.Allocate(wire::UsedRingSize(size), wire::kUsedRingAlign)};
  PublishIdx(first_idx);
  SetUsedIdx(first_idx);
}

ring::RingLocation FakeDriverQueue::frontend_location() const {
  return ring::RingAddresses<mem::FrontendAddr>{.desc = guest_.ToFrontend(addresses_.desc),
                                                .avail = guest_.ToFrontend(addresses_.avail),
                                                .used = guest_.ToFrontend(addresses_.used)};
}

uint16_t FakeDriverQueue::Get16(GuestAddr part, size_t offset, std::memory_order order) const {
  const auto range = guest_.memory()->Translate(GuestAddr{Raw(part) + offset}, 2);
  return mem::Load16(mem::RawData(range.value()), order);
}

void FakeDriverQueue::Set16(GuestAddr part, size_t offset, uint16_t value,
                            std::memory_order order) {
  const auto range = guest_.memory()->Translate(GuestAddr{Raw(part) + offset}, 2);
  mem::Store16(mem::RawData(range.value()), value, order);
}

void FakeDriverQueue::SetDesc(uint32_t index, GuestAddr addr, uint32_t len, uint16_t flags,
                              uint16_t next) {
  const wire::vring_desc desc{
      .addr = Le64(Raw(addr)), .len = Le32(len), .flags = Le16(flags), .next = Le16(next)};
  guest_.Write(GuestAddr{Raw(addresses_.desc) + index * sizeof desc},
               std::bit_cast<std::array<uint8_t, sizeof desc>>(desc));
}

void FakeDriverQueue::Offer(uint16_t head) {
  Set16(addresses_.avail, wire::AvailEntryOffset(next_avail_ & (size_ - 1)), head,
        std::memory_order_relaxed);
  ++next_avail_;
}

void FakeDriverQueue::PublishIdx(uint16_t idx) {
  // Pairs with the device's acquire of avail.idx.
  Set16(addresses_.avail, wire::kRingIdxOffset, idx, std::memory_order_seq_cst);
}

bool FakeDriverQueue::MustKick(bool event_idx, uint16_t old_idx) const {
  if (!event_idx) return (used_flags() & wire::VRING_USED_F_NO_NOTIFY) == 0;
  const uint16_t event = avail_event();
  for (uint16_t idx = old_idx; idx != next_avail_; ++idx) {
    if (idx == event) return true;
  }
  return false;
}

void FakeDriverQueue::SetUsedIdx(uint16_t idx) {
  Set16(addresses_.used, wire::kRingIdxOffset, idx, std::memory_order_relaxed);
  next_used_ = idx;
}

void FakeDriverQueue::SetAvailFlags(uint16_t flags) {
  Set16(addresses_.avail, wire::kRingFlagsOffset, flags, std::memory_order_seq_cst);
}

void FakeDriverQueue::SetUsedEvent(uint16_t event) {
  Set16(addresses_.avail, wire::UsedEventOffset(size_), event, std::memory_order_seq_cst);
}

uint16_t FakeDriverQueue::used_flags() const {
  return Get16(addresses_.used, wire::kRingFlagsOffset, std::memory_order_seq_cst);
}

uint16_t FakeDriverQueue::avail_event() const {
  return Get16(addresses_.used, wire::AvailEventOffset(size_), std::memory_order_seq_cst);
}

uint16_t FakeDriverQueue::used_idx() const {
  // Acquire side of the device's store of used.idx.
  return Get16(addresses_.used, wire::kRingIdxOffset, std::memory_order_seq_cst);
}

std::vector<FakeDriverQueue::UsedElem> FakeDriverQueue::TakeUsed() {
  std::vector<UsedElem> taken;
  for (const uint16_t idx = used_idx(); next_used_ != idx; ++next_used_) {
    const size_t offset = wire::UsedEntryOffset(next_used_ & (size_ - 1));
    const auto bytes =
        guest_.Read(GuestAddr{Raw(addresses_.used) + offset}, sizeof(wire::vring_used_elem));
    std::array<uint8_t, sizeof(wire::vring_used_elem)> raw;
    std::copy_n(bytes.begin(), raw.size(), raw.begin());
    const auto elem = std::bit_cast<wire::vring_used_elem>(raw);
    taken.push_back({.id = elem.id.get(), .len = elem.len.get()});
  }
  return taken;
}

}  // namespace sealane::testing
