// SPDX-License-Identifier: Apache-2.0
//
// EngineQueue's deadlines, clients that leave, stop and reset.
#include <algorithm>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/crypto/engine_queue.h"

namespace sealane::crypto {

template <class Condition>
void EngineQueue::Wait(Lock& lock, TimePoint deadline, Condition condition) {
  ++num_waiters_;
  changed_.wait_until(lock, deadline, condition);
  --num_waiters_;
}

template <class Predicate>
void EngineQueue::EndWaitingIf(QueueClient& client, DoneReason reason, Predicate predicate) {
  JobFifo<&EngineJob::next_> ended;
  for (auto* const list : {&client.queue_, &client.backlog_}) {
    auto all = std::move(*list);
    while (!all.empty()) {
      EngineJob& job = all.PopFront();
      (predicate(job) ? ended : *list).PushBack(job);
    }
  }
  num_waiting_ -= ended.size();
  while (!ended.empty()) End(ended.PopFront(), {.reason = reason, .status = Status::kError});
  Promote(client);
}

void EngineQueue::RemoveClient(QueueClient& client) {
  Lock lock(lock_);
  SL_CHECK(client.is_registered_ && client.num_accepted_ == 0);
  client.is_registered_ = false;
  std::erase(to_notify_, &client);
  Wait(lock, TimePoint::max(),
       [&client] { return client.num_callers_ == 0 && !client.is_delivering_; });
  schedule_.Remove(client);
}

void EngineQueue::Cancel(QueueClient& client, TimePoint deadline) {
  Lock lock(lock_);
  EndAll(lock, &client, deadline);
}

EngineJob* EngineQueue::Pin(Ticket ticket) {
  const Lock lock(lock_);
  Slot* const slot = FindSlot(ticket);
  if (slot == nullptr || slot->job == nullptr || slot->finished) return nullptr;
  slot->is_pinned = true;
  return slot->job;
}

void EngineQueue::Unpin(Ticket ticket) {
  Lock lock(lock_);
  Slot* const slot = FindSlot(ticket);
  if (slot == nullptr || !slot->is_pinned) return;
  slot->is_pinned = false;
  if (slot->take_back) TakeBack(*slot, *slot->take_back);
  Run(lock);
}

void EngineQueue::Resume() {
  Lock lock(lock_);
  ++progress_;
  is_busy_ = false;
  is_dead_ = false;
  Run(lock);
}

bool EngineQueue::Expire(TimePoint now) {
  Lock lock(lock_);
  is_busy_ = false;  // for targets that forget to say that they are not any more
  if (num_open_ == 0 || progress_ != progress_seen_) {
    progress_seen_ = progress_;
    progress_time_ = now;
  }
  if (now - progress_time_ >= options_.dead_after) is_dead_ = true;
  for (Slot& slot : slots_) {
    if (slot.job == nullptr || slot.job->deadline > now) continue;
    if (slot.abort == Slot::Abort::kNone) slot.abort = Slot::Abort::kWanted;
    TakeBack(slot, DoneReason::kTimedOut);
  }
  for (QueueClient* const client : schedule_.clients()) {
    EndWaitingIf(*client, DoneReason::kTimedOut,
                 [this, now](const EngineJob& job) { return is_dead_ || job.deadline <= now; });
  }
  for (QueueClient* const client : schedule_.clients()) Notify(*client);
  Run(lock);
  return num_open_ != 0;
}

// The job is over now, or as soon as the target may not touch it any more. Its place in the target
// stays taken.
void EngineQueue::TakeBack(Slot& slot, DoneReason reason) {
  if (slot.is_starting || slot.is_pinned) {
    slot.take_back = reason;
    return;
  }
  EngineJob& job = *std::exchange(slot.job, nullptr);
  slot.take_back.reset();
  ++num_quarantined_;
  End(job, {.reason = reason, .status = Status::kError});
}

bool EngineQueue::AbortNext(Lock& lock) {
  for (Slot& slot : slots_) {
    if (slot.abort != Slot::Abort::kWanted || slot.is_starting) continue;
    slot.abort = Slot::Abort::kSent;
    const Ticket ticket{.slot = static_cast<uint32_t>(&slot - slots_.data()),
                        .epoch = epoch_,
                        .serial = slot.serial};
    lock.unlock();
    QueueLock::CheckNoneHeld();
    target_.Abort(ticket);
    lock.lock();
    return true;
  }
  return false;
}

// Of one client, or of all (null).
void EngineQueue::EndAll(Lock& lock, const QueueClient* only, TimePoint deadline) {
  for (QueueClient* const client : schedule_.clients()) {
    if (only != nullptr && client != only) continue;
    EndWaitingIf(*client, DoneReason::kCanceled, [](const EngineJob&) { return true; });
  }
  const auto is_held = [only](const Slot& slot) {
    return slot.job != nullptr && (only == nullptr || slot.job->client_ == only);
  };
  for (Slot& slot : slots_) {
    if (is_held(slot) && slot.abort == Slot::Abort::kNone) slot.abort = Slot::Abort::kWanted;
  }
  Run(lock);
  const auto is_over = [this, is_held] { return std::ranges::none_of(slots_, is_held); };
  Wait(lock, deadline, is_over);
  for (Slot& slot : slots_) {
    if (is_held(slot)) TakeBack(slot, DoneReason::kCanceled);
  }
  Run(lock);
  // Start and pins are short, or those of a target that acknowledges.
  Wait(lock, TimePoint::max(), is_over);
}

bool EngineQueue::Stop(StopMode mode, TimePoint deadline) {
  Lock lock(lock_);
  ++num_stops_;
  is_open_ = false;
  if (mode == StopMode::kDrain) {
    Wait(lock, deadline, [this] { return num_open_ == 0; });
  }
  EndAll(lock, nullptr, deadline);
  return num_quarantined_ == 0;
}

bool EngineQueue::Reset(TimePoint deadline) {
  Lock lock(lock_);
  if (std::exchange(is_resetting_, true)) return false;
  const uint64_t num_stops = num_stops_;
  is_open_ = false;
  EndAll(lock, nullptr, deadline);
  lock.unlock();
  QueueLock::CheckNoneHeld();
  const bool is_reset = target_.Reset();
  lock.lock();
  is_resetting_ = false;
  if (!is_reset && num_quarantined_ != 0) return false;
  for (Slot& slot : slots_) slot = {};
  num_quarantined_ = 0;
  ++epoch_;
  ++progress_;
  is_busy_ = false;
  is_dead_ = false;
  is_open_ = num_stops == num_stops_;
  return is_open_;
}

EngineQueue::Stats EngineQueue::stats() const {
  const Lock lock(lock_);
  return stats_;
}

std::optional<QueueLatencies> EngineQueue::latencies() const {
  const std::lock_guard lock(lock_);
  if (!latencies_) return std::nullopt;
  return *latencies_;
}

}  // namespace sealane::crypto
