// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/device/split_queue.h"

#include <cstddef>

#include "sealane/base/check.h"
#include "sealane/mem/shared_access.h"

namespace sealane::ring::device {
namespace {

using mem::GuestMemory;
using mem::GuestRange;
using mem::Load16;
using mem::Store16;

template <class Addr>
Result<GuestRange> ResolvePart(const GuestMemory& memory, Addr addr, size_t size, size_t align) {
  // 2.7: the alignment is the driver's duty in its own address space.
  if (Raw(addr) % align != 0) return Error{ErrorCode::kInvalid, "ring part is misaligned"};
  SL_ASSIGN_OR_RETURN(const GuestRange range, memory.Translate(addr, size));
  // SAFETY: only the number is used. A region mapped at an odd offset could still spoil the
  // alignment for us.
  if (reinterpret_cast<uintptr_t>(mem::RawData(range)) % align != 0) {
    return Error{ErrorCode::kInvalid, "ring part is misaligned in its memory region"};
  }
  return range;
}

}  // namespace

Result<SplitQueue> SplitQueue::Create(std::shared_ptr<const GuestMemory> memory,
                                      const Config& config) {
  if (!wire::IsValidQueueSize(config.size)) return Error{ErrorCode::kInvalid, "bad queue size"};
  SplitQueue queue;
  queue.memory_ = std::move(memory);
  queue.location_ = config.location;
  queue.size_ = config.size;
  queue.event_mode_ = config.event_mode;
  queue.next_avail_ = config.next_avail;
  SL_RETURN_IF_ERROR(queue.Resolve());
  // Nothing is in flight when a queue starts, so the used ring continues where its own index
  // stands.
  queue.next_used_ = Load16(queue.UsedAt(wire::kRingIdxOffset), std::memory_order_relaxed);
  queue.notified_used_ = queue.next_used_;
  return queue;
}

Result<void> SplitQueue::Resolve() {
  return std::visit(
      [this](const auto& at) -> Result<void> {
        SL_ASSIGN_OR_RETURN(desc_, ResolvePart(*memory_, at.desc, wire::DescTableSize(size_),
                                               wire::kDescTableAlign));
        SL_ASSIGN_OR_RETURN(
            const GuestRange avail,
            ResolvePart(*memory_, at.avail, wire::AvailRingSize(size_), wire::kAvailRingAlign));
        SL_ASSIGN_OR_RETURN(
            const GuestRange used,
            ResolvePart(*memory_, at.used, wire::UsedRingSize(size_), wire::kUsedRingAlign));
        avail_ = mem::RawData(avail);
        used_ = mem::RawData(used);
        return {};
      },
      location_);
}

Result<void> SplitQueue::SetMemory(std::shared_ptr<const GuestMemory> memory) {
  memory_ = std::move(memory);
  Result<void> resolved = Resolve();
  if (!resolved.has_value()) broken_ = true;
  return resolved;
}

size_t SplitQueue::Pop(std::span<DescriptorChain* const> chains) {
  if (broken_) return 0;
  // Acquire: pairs with the driver's release of avail.idx, so that heads and descriptors before it
  // are visible.
  const uint16_t idx = Load16(AvailAt(wire::kRingIdxOffset), std::memory_order_acquire);
  const auto available = static_cast<uint16_t>(idx - next_avail_);
  if (available > size_) {
    broken_ = true;
    return 0;
  }
  size_t n = 0;
  for (; n < chains.size() && n < available; ++n) {
    const size_t slot = next_avail_ & (size_ - 1);
    const uint16_t head = Load16(AvailAt(wire::AvailEntryOffset(slot)), std::memory_order_relaxed);
    if (head >= size_) {
      broken_ = true;
      break;
    }
    chains[n]->Load(*memory_, desc_, size_, head);
    ++next_avail_;
  }
  return n;
}

void SplitQueue::Complete(std::span<const Completion> completions) {
  if (broken_ || completions.empty()) return;
  for (const Completion& done : completions) {
    const size_t slot = next_used_ & (size_ - 1);
    uint8_t* const entry = UsedAt(wire::UsedEntryOffset(slot));
    mem::Store32(entry + offsetof(wire::vring_used_elem, id), done.head, std::memory_order_relaxed);
    mem::Store32(entry + offsetof(wire::vring_used_elem, len), done.len, std::memory_order_relaxed);
    ++next_used_;
  }
  // Sequentially consistent: it releases the elements and results to the driver's acquire of
  // used.idx, and it is ordered before the load of used_event or avail.flags in NeedsNotify
  // (StoreLoad; the driver does the mirror image).
  Store16(UsedAt(wire::kRingIdxOffset), next_used_, std::memory_order_seq_cst);
}

bool SplitQueue::NeedsNotify() {
  if (broken_ || next_used_ == notified_used_) return false;
  const uint16_t old_used = notified_used_;
  notified_used_ = next_used_;
  if (event_mode_ != EventMode::kEventIdx) {
    // Pairs with the driver's store of avail.flags before it looks at used.idx again. In kUnknown a
    // clear flag proves nothing, so in doubt there is an interrupt.
    const uint16_t flags = Load16(AvailAt(wire::kRingFlagsOffset), std::memory_order_seq_cst);
    if ((flags & wire::VRING_AVAIL_F_NO_INTERRUPT) == 0) return true;
  }
  if (event_mode_ == EventMode::kFlags) return false;
  // Pairs with the driver's store of used_event before it looks at used.idx again.
  const uint16_t event = Load16(AvailAt(wire::UsedEventOffset(size_)), std::memory_order_seq_cst);
  return wire::NeedsEvent(event, next_used_, old_used);
}

bool SplitQueue::EnableKicks() {
  if (broken_) return false;
  if (event_mode_ != EventMode::kFlags) {
    // Pairs with the driver's load of avail_event after its store of avail.idx; so does the store
    // of flags below.
    Store16(UsedAt(wire::AvailEventOffset(size_)), next_avail_, std::memory_order_seq_cst);
  }
  if (event_mode_ != EventMode::kEventIdx) {
    Store16(UsedAt(wire::kRingFlagsOffset), 0, std::memory_order_seq_cst);
  }
  // Ordered after the stores above: either we see the new index here, or the driver sees that we
  // want a kick.
  return Load16(AvailAt(wire::kRingIdxOffset), std::memory_order_seq_cst) != next_avail_;
}

void SplitQueue::DisableKicks() {
  if (broken_) return;
  // Only a hint, so relaxed. The event field goes just behind the next index: the driver kicks when
  // its index passes it, which is now almost 65536 entries away. Where EVENT_IDX is unknown it
  // takes both fields.
  if (event_mode_ != EventMode::kFlags) {
    Store16(UsedAt(wire::AvailEventOffset(size_)), static_cast<uint16_t>(next_avail_ - 1),
            std::memory_order_relaxed);
  }
  if (event_mode_ != EventMode::kEventIdx) {
    Store16(UsedAt(wire::kRingFlagsOffset), wire::VRING_USED_F_NO_NOTIFY,
            std::memory_order_relaxed);
  }
}

}  // namespace sealane::ring::device
