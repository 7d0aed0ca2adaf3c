// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/session_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sealane/base/check.h"

namespace sealane::device {

using crypto::Session;
using crypto::Status;

SessionTable::SessionTable(uint32_t max_sessions)
    : max_sessions_(std::clamp(max_sessions, uint32_t{1}, kMaxSessions)),
      num_slots_(std::bit_ceil(max_sessions_)),
      slots_(num_slots_),
      holders_(kMaxHolders),
      free_(max_sessions_) {
  for (uint32_t i = 0; i < max_sessions_; ++i) {
    slots_[i].last_id = i;
    PutFree(i);
  }
}

uint32_t SessionTable::TakeFree() {
  const uint32_t slot_index = free_[first_free_];
  first_free_ = (first_free_ + 1) % max_sessions_;
  --num_free_;
  return slot_index;
}

void SessionTable::PutFree(uint32_t slot_index) {
  free_[(uint64_t{first_free_} + num_free_) % max_sessions_] = slot_index;
  ++num_free_;
}

unsigned SessionTable::AddHolder(crypto::Waker& waker) {
  SL_CHECK(num_holders_ < kMaxHolders);
  holders_[num_holders_].waker = &waker;
  return num_holders_++;
}

std::expected<uint64_t, Status> SessionTable::Create(std::shared_ptr<const Session> session) {
  const std::lock_guard lock(mutex_);
  if (num_free_ == 0) return std::unexpected(Status::kNoSpace);
  Slot& slot = slots_[TakeFree()];
  // The next id of the same slot. 2^43 uses of one slot do not happen.
  const uint64_t id = slot.last_id + num_slots_;
  slot.last_id = id;
  slot.session = std::move(session);
  slot.id.store(id, std::memory_order_release);  // pairs with IsOpen
  return id;
}

bool SessionTable::Close(uint64_t id) {
  std::shared_ptr<const Session> dropped;
  uint64_t wake = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!IsOpen(id)) return false;
    dropped = CloseLocked(SlotOf(id), wake);
  }
  WakeHolders(wake);
  return true;
}

void SessionTable::CloseAll() {
  std::vector<std::shared_ptr<const Session>> dropped;
  uint64_t wake = 0;
  {
    const std::lock_guard lock(mutex_);
    for (uint32_t i = 0; i < max_sessions_; ++i) {
      if (slots_[i].session) dropped.push_back(CloseLocked(i, wake));
    }
  }
  WakeHolders(wake);
}

std::shared_ptr<const Session> SessionTable::CloseLocked(uint32_t slot_index, uint64_t& wake) {
  Slot& slot = slots_[slot_index];
  const uint64_t id = slot.id.exchange(0, std::memory_order_acq_rel);
  for (unsigned holder = 0; holder < num_holders_; ++holder) {
    if ((slot.holders >> holder & 1) == 0) continue;
    holders_[holder].closed.push_back(id);
    holders_[holder].has_closed.store(true, std::memory_order_release);  // pairs with HasClosed
  }
  wake |= std::exchange(slot.holders, 0);
  PutFree(slot_index);
  return std::move(slot.session);
}

void SessionTable::WakeHolders(uint64_t wake) {
  for (; wake != 0; wake &= wake - 1) {
    holders_[static_cast<size_t>(std::countr_zero(wake))].waker->Wake();
  }
}

std::shared_ptr<const Session> SessionTable::Acquire(uint64_t id, unsigned holder) {
  const std::lock_guard lock(mutex_);
  if (!IsOpen(id)) return nullptr;
  Slot& slot = slots_[SlotOf(id)];
  slot.holders |= uint64_t{1} << holder;
  return slot.session;
}

void SessionTable::TakeClosed(unsigned holder, std::vector<uint64_t>& ids) {
  ids.clear();
  const std::lock_guard lock(mutex_);
  holders_[holder].has_closed.store(false, std::memory_order_relaxed);
  holders_[holder].closed.swap(ids);
}

uint32_t SessionTable::size() const {
  const std::lock_guard lock(mutex_);
  return max_sessions_ - num_free_;
}

}  // namespace sealane::device
