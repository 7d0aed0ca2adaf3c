// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/engine_queue.h"

#include <algorithm>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/base/probe.h"

namespace sealane::crypto {

EngineQueue::EngineQueue(EngineTarget& target, const Options& options)
    : target_(target),
      options_(options),
      lock_(options.lock),
      slots_(options.in_flight),
      latencies_(options.measure_latency ? std::make_unique<QueueLatencies>() : nullptr) {
  SL_CHECK(options.in_flight != 0);
}

EngineQueue::~EngineQueue() { SL_CHECK(schedule_.clients().empty()); }

Result<void> EngineQueue::AddClient(QueueClient& client) {
  SL_CHECK(client.share().queue != 0 && client.share().wake_batch != 0);
  const Lock lock(lock_);
  SL_CHECK(!client.is_registered_);
  size_t queue = client.share().queue;
  size_t backlog = client.share().backlog;
  for (const QueueClient* other : schedule_.clients()) {
    queue += other->share().queue;
    backlog += other->share().backlog;
  }
  if (queue > options_.queue_depth || backlog > options_.backlog_depth) {
    return Error{ErrorCode::kNoSpace, "the engine queue has no room for another client"};
  }
  schedule_.Add(client);
  to_notify_.reserve(schedule_.clients().size());
  client.is_registered_ = true;
  return {};
}

SubmitResult EngineQueue::Submit(QueueClient& client, EngineJob& job) {
  Lock lock(lock_);
  const SubmitResult result = Accept(client, job);
  Run(lock);
  return result;
}

SubmitCount EngineQueue::SubmitAll(QueueClient& client, std::span<EngineJob* const> jobs) {
  Lock lock(lock_);
  SubmitCount count;
  for (EngineJob* const job : jobs) {
    count.last = Accept(client, *job);
    if (count.last != SubmitResult::kQueued && count.last != SubmitResult::kBacklogged) break;
    ++count.accepted;
  }
  Run(lock);
  return count;
}

SubmitResult EngineQueue::Accept(QueueClient& client, EngineJob& job) {
  const bool is_valid = client.is_registered_ && job.state_ == EngineJob::State::kIdle &&
                        job.cost <= ClientSchedule::kMaxCost;
  if (!is_valid) {
    ++stats_.invalid;
    return SubmitResult::kInvalid;
  }
  if (!is_open_ || is_dead_) {
    ++stats_.shutdown;
    return SubmitResult::kShutdown;
  }
  const bool fits_queue = client.num_queued() < client.share().queue;
  if (!fits_queue && client.backlog_.size() >= client.share().backlog) {
    ++stats_.full;
    return SubmitResult::kFull;
  }
  job.state_ = EngineJob::State::kAccepted;
  job.client_ = &client;
  job.owes_started_ = !fits_queue;
  (fits_queue ? client.queue_ : client.backlog_).PushBack(job);
  if (job.order != nullptr) job.order->jobs_.PushBack(job);
  ++client.num_accepted_;
  if (num_open_++ == 0) ++progress_;
  ++num_waiting_;
  ++(fits_queue ? stats_.queued : stats_.backlogged);
  if (latencies_) {
    job.accepted_at_ = QueueClock::now();
    job.started_at_ = {};
  }
  SL_PROBE3(queue_enqueue, &job, &client, job.cost);
  return fits_queue ? SubmitResult::kQueued : SubmitResult::kBacklogged;
}

// All calls out of the queue, until there is none to make. Several threads may be in here; only one
// at a time is in the target's Start, and it looks again when it comes back, so whoever finds it
// there need not wait.
void EngineQueue::Run(Lock& lock) {
  do {
    if (num_waiters_ != 0) changed_.notify_all();
  } while (StartNext(lock) || AbortNext(lock) || NotifyNext(lock));
}

bool EngineQueue::StartNext(Lock& lock) {
  if (is_starting_ || is_busy_) return false;
  Slot* const slot = FindFreeSlot();
  QueueClient* const client = slot == nullptr ? nullptr : schedule_.Next();
  if (client == nullptr) return false;
  EngineJob& job = client->queue_.PopFront();
  *slot = {.in_use = true, .job = &job, .serial = ++num_starts_, .is_starting = true};
  const Ticket ticket{
      .slot = static_cast<uint32_t>(slot - slots_.data()), .epoch = epoch_, .serial = slot->serial};
  const uint64_t progress_before = progress_;
  is_starting_ = true;
  client->is_starting_ = true;
  if (latencies_) job.started_at_ = QueueClock::now();
  SL_PROBE3(queue_start, &job, client, job.cost);
  lock.unlock();
  QueueLock::CheckNoneHeld();
  const StartResult result = target_.Start(job, ticket);
  lock.lock();
  is_starting_ = false;
  AfterStart(*slot, result, progress_before);
  return true;
}

void EngineQueue::AfterStart(Slot& slot, const StartResult& result, uint64_t progress_before) {
  slot.is_starting = false;
  const EngineJob& job = *slot.job;
  QueueClient& client = *job.client_;
  // A job that was finished was taken, whatever Start says.
  if (result.kind == StartResult::Kind::kBusy && !slot.finished) {
    return PutBack(slot, progress_before);
  }
  client.is_starting_ = false;
  --num_waiting_;
  ++stats_.started;
  ClientSchedule::Charge(client, job);
  if (slot.finished) {
    Complete(slot, *slot.finished);
  } else if (result.kind == StartResult::Kind::kFailed) {
    Complete(slot, result.status);
  } else if (slot.take_back) {
    TakeBack(slot, *slot.take_back);
  }
  Promote(client);
}

// The job is the first again. It never left the queue, so nobody was promoted or told anything.
void EngineQueue::PutBack(Slot& slot, uint64_t progress_before) {
  EngineJob& job = *slot.job;
  QueueClient& client = *job.client_;
  const bool is_wanted = slot.abort == Slot::Abort::kNone && !slot.take_back;
  const DoneReason reason = slot.take_back.value_or(DoneReason::kCanceled);
  slot = {};
  ++stats_.busy;
  // Unless the completion to wait for came while the target was saying so.
  is_busy_ = progress_ == progress_before;
  client.is_starting_ = false;
  if (is_wanted) {
    client.queue_.PushFront(job);
  } else {
    --num_waiting_;
    End(job, {.reason = reason, .status = Status::kError});
    Promote(client);
  }
}

// After a job left the queue: the backlog moves up.
void EngineQueue::Promote(QueueClient& client) {
  while (!client.backlog_.empty() && client.num_queued() < client.share().queue) {
    EngineJob& job = client.backlog_.PopFront();
    client.queue_.PushBack(job);
    PostStarted(job);
  }
  if (num_waiting_ != 0) return;
  // The target is about to run dry: nobody's events are held back any longer.
  for (QueueClient* const each : schedule_.clients()) NotifyIfDue(*each);
}

void EngineQueue::Finish(Ticket ticket, Status status) {
  Lock lock(lock_);
  Slot* const slot = FindSlot(ticket);
  if (slot == nullptr || slot->finished) {
    ++(ticket.epoch == epoch_ ? stats_.double_finishes : stats_.stale_finishes);
    return;
  }
  if (slot->is_starting) {
    slot->finished = status;
    ++progress_;
    return;
  }
  Complete(*slot, status);
  Run(lock);
}

void EngineQueue::Complete(Slot& slot, Status status) {
  EngineJob* const job = slot.job;
  const bool was_aborted = slot.abort != Slot::Abort::kNone && status != Status::kOk;
  const DoneReason abort_reason = slot.take_back.value_or(DoneReason::kCanceled);
  slot = {};
  ++progress_;
  is_busy_ = false;
  is_dead_ = false;
  if (job == nullptr) {
    ++stats_.late_finishes;
    --num_quarantined_;
  } else if (was_aborted) {
    End(*job, {.reason = abort_reason, .status = Status::kError});
  } else {
    End(*job, {.reason = DoneReason::kFinished, .status = status});
  }
}

// The job is in no list of waiting ones and in no slot.
void EngineQueue::End(EngineJob& job, const Outcome& outcome) {
  switch (outcome.reason) {
    case DoneReason::kFinished:
      ++stats_.finished;
      break;
    case DoneReason::kTimedOut:
      ++stats_.timed_out;
      break;
    case DoneReason::kCanceled:
      ++stats_.canceled;
      break;
  }
  --num_open_;
  SL_PROBE3(queue_done, &job, static_cast<int>(outcome.reason), static_cast<int>(outcome.status));
  if (latencies_ && job.started_at_ != QueueClock::time_point{}) {
    latencies_->service.Add(QueueClock::now() - job.started_at_);
  }
  job.state_ = EngineJob::State::kEnded;
  job.outcome_ = outcome;
  if (job.owes_started_) PostStarted(job);
  if (job.order == nullptr) return PostDone(job);
  // Those that are over behind one that is not wait for it.
  auto& in_order = job.order->jobs_;
  while (!in_order.empty() && in_order.front().state_ == EngineJob::State::kEnded) {
    PostDone(in_order.PopFront());
  }
}

void EngineQueue::PostStarted(EngineJob& job) {
  job.owes_started_ = false;
  job.client_->started_.PushBack(job);
  job.client_->AddEvents(1);
  NotifyIfDue(*job.client_);
}

void EngineQueue::PostDone(EngineJob& job) {
  job.client_->done_.PushBack(job);
  job.client_->AddEvents(1);
  NotifyIfDue(*job.client_);
}

void EngineQueue::NotifyIfDue(QueueClient& client) {
  const size_t num_events = client.num_events_.load(std::memory_order_relaxed);
  const bool is_all = client.done_.size() == client.num_accepted_;
  if (is_all || num_waiting_ == 0 || num_events >= client.share().wake_batch) Notify(client);
}

void EngineQueue::Notify(QueueClient& client) {
  // Whoever delivers sees what is new by itself.
  if (!client.has_events() || client.is_notified_ || client.is_delivering_) return;
  client.is_notified_ = true;
  to_notify_.push_back(&client);
}

bool EngineQueue::NotifyNext(Lock& lock) {
  if (to_notify_.empty()) return false;
  QueueClient& client = *to_notify_.front();
  to_notify_.erase(to_notify_.begin());
  ++client.num_callers_;
  lock.unlock();
  QueueLock::CheckNoneHeld();
  client.observer_.OnReady();
  lock.lock();
  --client.num_callers_;
  return true;
}

size_t EngineQueue::Deliver(QueueClient& client, size_t max) {
  if (!client.has_events()) return 0;
  Lock lock(lock_);
  if (client.is_delivering_) return 0;
  client.is_delivering_ = true;
  size_t num_done = 0;
  while (!client.started_.empty() || (num_done < max && !client.done_.empty())) {
    auto started = std::move(client.started_);
    JobFifo<&EngineJob::next_> done;
    while (num_done < max && !client.done_.empty()) {
      done.PushBack(client.done_.PopFront());
      ++num_done;
    }
    client.AddEvents(size_t{0} - (started.size() + done.size()));
    client.num_accepted_ -= done.size();
    if (latencies_) [[unlikely]] {
      for (const EngineJob* job = done.empty() ? nullptr : &done.front(); job != nullptr;
           job = job->next_) {
        CountLatency(*job);
      }
    }
    lock.unlock();
    QueueLock::CheckNoneHeld();
    // What was told first is delivered first: a job's OnStarted was posted before its OnDone.
    while (!started.empty()) client.observer_.OnStarted(started.PopFront());
    while (!done.empty()) {
      EngineJob& job = done.PopFront();
      const Outcome outcome = job.outcome_;
      job.state_ = EngineJob::State::kIdle;
      client.observer_.OnDone(job, outcome);
    }
    lock.lock();
  }
  client.is_delivering_ = false;
  client.is_notified_ = client.has_events();
  Run(lock);
  return num_done;
}

void EngineQueue::CountLatency(const EngineJob& job) {
  latencies_->total.Add(QueueClock::now() - job.accepted_at_);
  if (job.started_at_ == QueueClock::time_point{}) return;
  latencies_->wait.Add(job.started_at_ - job.accepted_at_);
}

EngineQueue::Slot* EngineQueue::FindSlot(Ticket ticket) {
  if (ticket.epoch != epoch_ || ticket.slot >= slots_.size()) return nullptr;
  Slot& slot = slots_[ticket.slot];
  return slot.in_use && slot.serial == ticket.serial ? &slot : nullptr;
}

EngineQueue::Slot* EngineQueue::FindFreeSlot() {
  const auto found = std::ranges::find(slots_, false, &Slot::in_use);
  return found == slots_.end() ? nullptr : &*found;
}

}  // namespace sealane::crypto
