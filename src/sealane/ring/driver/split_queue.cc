// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/driver/split_queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/mem/shared_access.h"

namespace sealane::ring::driver {
namespace {

using mem::Load16;
using mem::Store16;

bool IsAligned(const uint8_t* at, size_t align) {
  // SAFETY: only the number is used.
  return reinterpret_cast<uintptr_t>(at) % align == 0;
}

Result<void> CheckPart(const mem::GuestRange& part, size_t size, size_t align) {
  if (part.size() < size) return Error{ErrorCode::kInvalid, "ring memory is too short"};
  if (!IsAligned(mem::RawData(part), align)) {
    return Error{ErrorCode::kInvalid, "ring memory is misaligned"};
  }
  return {};
}

}  // namespace

Result<SplitQueue> SplitQueue::Create(uint32_t size, const SplitQueueMemory& memory,
                                      bool event_idx) {
  if (!wire::IsValidQueueSize(size)) return Error{ErrorCode::kInvalid, "impossible queue size"};
  SL_RETURN_IF_ERROR(CheckPart(memory.desc, wire::DescTableSize(size), wire::kDescTableAlign));
  SL_RETURN_IF_ERROR(CheckPart(memory.avail, wire::AvailRingSize(size), wire::kAvailRingAlign));
  SL_RETURN_IF_ERROR(CheckPart(memory.used, wire::UsedRingSize(size), wire::kUsedRingAlign));
  return SplitQueue(size, memory, event_idx);
}

SplitQueue::SplitQueue(uint32_t size, const SplitQueueMemory& memory, bool event_idx)
    : desc_(mem::RawData(memory.desc)),
      avail_(mem::RawData(memory.avail)),
      used_(mem::RawData(memory.used)),
      mask_(static_cast<uint16_t>(size - 1)),
      event_idx_(event_idx),
      num_free_(size),
      shadow_(size) {
  for (uint32_t i = 0; i < size; ++i) shadow_[i].next = static_cast<uint16_t>(i + 1);
  // Relaxed: the device is told about the ring later, by whatever starts the queue.
  constexpr auto kRelaxed = std::memory_order_relaxed;
  Store16(avail_ + wire::kRingFlagsOffset, 0, kRelaxed);
  Store16(avail_ + wire::kRingIdxOffset, 0, kRelaxed);
  Store16(used_ + wire::kRingFlagsOffset, 0, kRelaxed);
  Store16(used_ + wire::kRingIdxOffset, 0, kRelaxed);
  Store16(used_ + wire::AvailEventOffset(size), 0, kRelaxed);
  Store16(avail_ + wire::UsedEventOffset(size), 0, kRelaxed);
  DisableInterrupts();
}

void SplitQueue::WriteDescriptor(uint16_t index, uint64_t addr, uint32_t len, uint16_t flags) {
  Shadow& shadow = shadow_[index];
  shadow.addr = addr;
  shadow.len = len;
  shadow.flags = flags;
  const wire::vring_desc desc{Le64(addr), Le32(len), Le16(flags), Le16(shadow.next)};
  const auto bytes = std::bit_cast<std::array<uint8_t, sizeof desc>>(desc);
  mem::CopyIn(desc_ + sizeof desc * index, bytes.data(), bytes.size());
}

std::optional<uint16_t> SplitQueue::Add(std::span<const Buffer> readable,
                                        std::span<const Buffer> writable) {
  const size_t num = readable.size() + writable.size();
  SL_CHECK(num != 0);
  if (broken() || num > num_free_) return std::nullopt;
  const uint16_t head = free_head_;
  uint64_t writable_len = 0;
  size_t left = num;
  const auto write = [&](const Buffer& buffer, uint16_t flags) {
    const uint16_t more = --left != 0 ? wire::VRING_DESC_F_NEXT : uint16_t{0};
    const uint16_t index = std::exchange(free_head_, shadow_[free_head_].next);
    WriteDescriptor(index, Raw(buffer.addr), buffer.len, static_cast<uint16_t>(flags | more));
  };
  for (const Buffer& buffer : readable) write(buffer, 0);
  for (const Buffer& buffer : writable) {
    write(buffer, wire::VRING_DESC_F_WRITE);
    writable_len += buffer.len;
  }
  Offer(head, static_cast<uint32_t>(num), writable_len);
  return head;
}

std::optional<uint16_t> SplitQueue::AddIndirect(mem::GuestAddr table, uint32_t num_descriptors,
                                                uint32_t writable_len) {
  constexpr uint32_t kMaxDescriptors = wire::kMaxQueueSize;
  SL_CHECK(num_descriptors != 0 && num_descriptors <= kMaxDescriptors);
  if (broken() || num_free_ == 0) return std::nullopt;
  const uint16_t head = free_head_;
  const Shadow& shadow = shadow_[head];
  free_head_ = shadow.next;
  const auto len = static_cast<uint32_t>(num_descriptors * sizeof(wire::vring_desc));
  const bool same =
      shadow.addr == Raw(table) && shadow.len == len && shadow.flags == wire::VRING_DESC_F_INDIRECT;
  if (!same) WriteDescriptor(head, Raw(table), len, wire::VRING_DESC_F_INDIRECT);
  Offer(head, 1, writable_len);
  return head;
}

void SplitQueue::Offer(uint16_t head, uint32_t num_in_chain, uint64_t writable_len) {
  num_free_ -= num_in_chain;
  ++num_outstanding_;
  constexpr uint64_t kMaxLen = std::numeric_limits<uint32_t>::max();
  shadow_[head].with_device = true;
  shadow_[head].num_in_chain = static_cast<uint16_t>(num_in_chain);
  shadow_[head].writable_len = static_cast<uint32_t>(std::min(writable_len, kMaxLen));
  // Relaxed: Publish orders it before the index.
  Store16(avail_ + wire::AvailEntryOffset(next_avail_ & mask_), head, std::memory_order_relaxed);
  ++next_avail_;
}

void SplitQueue::Publish() {
  published_ = next_avail_;
  // Release half: pairs with the device's acquire load of this index, so that it sees the chains.
  // Full order: pairs with the device's store of its event or flags and reload of this index before
  // it sleeps; of this store and the load in NeedsKick, and those two, at least one load sees the
  // other side's store.
  Store16(avail_ + wire::kRingIdxOffset, published_, std::memory_order_seq_cst);
}

bool SplitQueue::NeedsKick() {
  const uint16_t old_idx = std::exchange(kick_tested_, published_);
  if (old_idx == published_) return false;
  // Both loads pair as described in Publish.
  if (event_idx_) {
    const uint16_t event =
        Load16(used_ + wire::AvailEventOffset(size()), std::memory_order_seq_cst);
    return wire::NeedsEvent(event, published_, old_idx);
  }
  const uint16_t flags = Load16(used_ + wire::kRingFlagsOffset, std::memory_order_seq_cst);
  return (flags & wire::VRING_USED_F_NO_NOTIFY) == 0;
}

const char* SplitQueue::CheckUsed(uint32_t id, uint32_t len) const {
  if (id > mask_) return "device returned a descriptor beyond the ring";
  const Shadow& shadow = shadow_[id];
  if (!shadow.with_device) return "device returned a chain that it does not have";
  if (len > shadow.writable_len) return "device claims more bytes than are writable";
  return nullptr;
}

size_t SplitQueue::Poll(std::span<Used> done) {
  if (broken()) return 0;
  // Acquire: pairs with the device's release (or stronger) store of its index after the entries.
  const uint16_t device_idx = Load16(used_ + wire::kRingIdxOffset, std::memory_order_acquire);
  const auto num_new = static_cast<uint16_t>(device_idx - last_used_);
  const auto num_unpublished = static_cast<uint16_t>(next_avail_ - published_);
  if (num_new > num_outstanding_ - num_unpublished) {
    Break("device's used index passed what is outstanding");
    return 0;
  }
  const size_t num = Take(done.first(std::min<size_t>(num_new, done.size())));
  // In the reverse order: the next batch then finds the heads in the order of this one, and a
  // caller who goes round the same chains finds each descriptor as it left it.
  for (size_t i = num; i-- != 0;) Free(done[i].head);
  return num;
}

// Reads entries until `done` is full or one cannot be right, and returns how many were.
size_t SplitQueue::Take(std::span<Used> done) {
  for (size_t i = 0; i < done.size(); ++i) {
    std::array<uint8_t, sizeof(wire::vring_used_elem)> bytes;
    mem::CopyOnce(bytes.data(), used_ + wire::UsedEntryOffset(last_used_ & mask_), bytes.size());
    const auto entry = std::bit_cast<wire::vring_used_elem>(bytes);
    const char* fault = CheckUsed(entry.id.get(), entry.len.get());
    if (fault != nullptr) {
      Break(fault);
      return i;
    }
    done[i] = Used{static_cast<uint16_t>(entry.id.get()), entry.len.get()};
    shadow_[done[i].head].with_device = false;
    ++last_used_;
  }
  return done.size();
}

void SplitQueue::Free(uint16_t head) {
  const uint32_t num = shadow_[head].num_in_chain;
  uint16_t tail = head;
  for (uint32_t i = 1; i < num; ++i) tail = shadow_[tail].next;
  shadow_[tail].next = std::exchange(free_head_, head);
  num_free_ += num;
  --num_outstanding_;
}

bool SplitQueue::HasUsed() const {
  // Acquire: pairs as in Poll, so that whoever looks at the payload next sees it.
  return Load16(used_ + wire::kRingIdxOffset, std::memory_order_acquire) != last_used_;
}

bool SplitQueue::EnableInterrupts() {
  // Full order on both: pairs with the device's store of its index and load of this hint after it.
  // Either the device sees that an interrupt is wanted, or the index is seen here.
  if (event_idx_) {
    Store16(avail_ + wire::UsedEventOffset(size()), last_used_, std::memory_order_seq_cst);
  } else {
    Store16(avail_ + wire::kRingFlagsOffset, 0, std::memory_order_seq_cst);
  }
  return Load16(used_ + wire::kRingIdxOffset, std::memory_order_seq_cst) == last_used_;
}

void SplitQueue::DisableInterrupts() {
  // Relaxed: it does not matter when the device sees it.
  constexpr auto kRelaxed = std::memory_order_relaxed;
  if (event_idx_) {
    // 2.7.7: with EVENT_IDX the flags stay 0; an event just behind comes round after 65535 entries.
    const auto behind = static_cast<uint16_t>(last_used_ - 1);
    Store16(avail_ + wire::UsedEventOffset(size()), behind, kRelaxed);
    return;
  }
  Store16(avail_ + wire::kRingFlagsOffset, wire::VRING_AVAIL_F_NO_INTERRUPT, kRelaxed);
}

}  // namespace sealane::ring::driver
