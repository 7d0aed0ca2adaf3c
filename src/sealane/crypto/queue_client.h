// SPDX-License-Identifier: Apache-2.0
//
// QueueClient: someone who brings jobs to an EngineQueue, with a share of its room of their own: no
// other client can use it up. QueueObserver: what a client is told. Both are the caller's and
// outlive their registration (EngineQueue::AddClient until RemoveClient).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sealane/crypto/engine_job.h"

namespace sealane::crypto {

// No call is made under a lock. Each may submit, deliver, cancel, stop or reset.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  // The next three, for one client, never run at the same time as each other: they come from inside
  // EngineQueue::Deliver.
  // A backlogged job counts as queued now (it need not run yet): the client may submit again. Once,
  // before the job's OnDone, perhaps before its Submit has returned.
  virtual void OnStarted(EngineJob& job) = 0;
  // An accepted job is over. Once; the job is the caller's again, to be submitted anew or
  // destroyed.
  virtual void OnDone(EngineJob& job, const Outcome& outcome) = 0;

  // Deliver has something, once per empty -> not empty; on any thread that calls into the queue, so
  // it should be short. Where Deliver is then called is the client's choice of who runs its
  // completions: here at once (inline), on a thread for that, or on the thread that submits. The
  // client is not removed from in here.
  virtual void OnReady() = 0;
};

class QueueClient {
 public:
  struct Share {
    size_t queue = 1;    // jobs that may count as queued; at least 1
    size_t backlog = 0;  // jobs that may wait behind those
    // OnReady waits for so many events, as long as the target has work waiting and jobs of this
    // client are still to come: nobody is any slower for it, and fewer threads are woken. 1: never.
    size_t wake_batch = 1;
  };

  QueueClient(QueueObserver& observer, const Share& share) : observer_(observer), share_(share) {}
  QueueClient(const QueueClient&) = delete;
  QueueClient& operator=(const QueueClient&) = delete;

  const Share& share() const { return share_; }

 private:
  friend class ClientSchedule;
  friend class EngineQueue;

  size_t num_queued() const { return queue_.size() + (is_starting_ ? 1 : 0); }
  bool has_events() const { return num_events_.load(std::memory_order_relaxed) != 0; }
  // Under the queue's lock, which orders it; others only look whether it is worth taking.
  void AddEvents(size_t n) {
    num_events_.store(num_events_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  QueueObserver& observer_;
  const Share share_;
  // All under the queue's lock.
  bool is_registered_ = false;
  JobFifo<&EngineJob::next_> queue_;
  JobFifo<&EngineJob::next_> backlog_;  // not empty only while the queue's share is used up
  bool is_starting_ = false;            // the head is with the target's Start, and counts as queued
  uint64_t deficit_ = 0;                // bytes it may still start in this turn
  JobFifo<&EngineJob::next_told_> started_;  // events to be delivered
  JobFifo<&EngineJob::next_> done_;
  std::atomic<size_t> num_events_{0};  // both of them
  size_t num_accepted_ = 0;            // jobs accepted and not yet delivered
  bool is_delivering_ = false;
  bool is_notified_ = false;  // OnReady was or will be called, and Deliver has not yet emptied it
  int num_callers_ = 0;       // threads inside OnReady
};

}  // namespace sealane::crypto
