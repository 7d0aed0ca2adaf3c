// SPDX-License-Identifier: Apache-2.0
//
// EngineQueue: a bounded queue and a bounded backlog in front of an engine that is slow or takes
// little at a time. docs/adr/0009-engine-queue.md has the reasons.
//
// What holds, always:
//  1. An accepted job (kQueued, kBacklogged) gets OnDone exactly once, in bounded time if it has a
//     deadline. A backlogged one gets OnStarted exactly once, before. A refused one gets nothing.
//  2. No call out of the queue is made under a lock. Callbacks may submit, deliver, cancel, stop.
//  3. A client's jobs are started in the order of their Submit; among clients it is deficit
//     round-robin by bytes. Those of one JobOrder are also done in that order.
//  4. A client's jobs that wait never exceed its share of queue and backlog, and no client can use
//     another's.
//  5. A target that lies (finishes twice, late, never, or with a ticket of its own making; is busy
//     for ever; fails) costs a job its result at worst. It is counted (Stats).
//
// Owned together with its target; both outlive all clients, and the target makes no call once the
// queue is gone. Any thread may call anything. There is no thread in here: work moves on when
// somebody calls, and time passes when somebody calls Expire (QueueWatchdog does).
//
// Probes (base/probe.h): queue_enqueue (job, client, bytes), queue_start (job, client, bytes) and
// queue_done (job, DoneReason, Status).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/crypto/client_schedule.h"
#include "sealane/crypto/engine_job.h"
#include "sealane/crypto/engine_target.h"
#include "sealane/crypto/queue_client.h"
#include "sealane/crypto/queue_latencies.h"
#include "sealane/crypto/queue_lock.h"

namespace sealane::crypto {

enum class StopMode : uint8_t { kDrain, kAbort };

class EngineQueue {
 public:
  using TimePoint = QueueClock::time_point;

  struct Options {
    size_t queue_depth = 64;    // the clients' shares may not add up to more
    size_t backlog_depth = 64;  // likewise
    size_t in_flight = 1;       // jobs the target has at once; at least 1
    QueueClock::duration dead_after = std::chrono::seconds(5);  // see Expire
    LockKind lock = LockKind::kMutex;
    bool measure_latency = false;  // reads the clock three times for each job
  };
  struct Stats {
    uint64_t queued = 0;  // results of Submit
    uint64_t backlogged = 0;
    uint64_t full = 0;
    uint64_t shutdown = 0;
    uint64_t invalid = 0;
    uint64_t started = 0;  // given to the target
    uint64_t busy = 0;     // offered to the target in vain
    uint64_t finished = 0;
    uint64_t timed_out = 0;
    uint64_t canceled = 0;
    uint64_t late_finishes = 0;    // of a job that had been taken back
    uint64_t double_finishes = 0;  // ignored: no such ticket, or not any more
    uint64_t stale_finishes = 0;   // ignored: from before a reset
  };

  EngineQueue(EngineTarget& target, const Options& options);
  ~EngineQueue();
  EngineQueue(const EngineQueue&) = delete;
  EngineQueue& operator=(const EngineQueue&) = delete;

  // --- A client's side.

  // kNoSpace: the other clients have the room that this one asks for.
  Result<void> AddClient(QueueClient& client);
  // None of its jobs is on its way, and it is in none of its callbacks. Waits until no other thread
  // is.
  void RemoveClient(QueueClient& client);

  // Does not wait. Starts what can be started.
  SubmitResult Submit(QueueClient& client, EngineJob& job);
  // One after the other until one is refused; only then is anything started, so that a sleeping
  // target is woken once. Better than Submit whenever there are several.
  SubmitCount SubmitAll(QueueClient& client, std::span<EngineJob* const> jobs);
  // Makes the client's callbacks, on this thread, for up to `max` jobs that are done; returns for
  // how many. `max` means that there may be more, without another OnReady. Does nothing while
  // another thread, or a caller of this one, delivers for this client: that one goes on.
  size_t Deliver(QueueClient& client, size_t max);
  // Ends the client's jobs: at once those that wait; those with the target when it acknowledges, or
  // when the deadline has passed and it holds no Pin. When this returns Deliver has all of them.
  void Cancel(QueueClient& client, TimePoint deadline);

  // --- The target's side. A ticket that does not count is ignored.

  // The job is over, and any Pin of it. From any thread, also inside Start.
  void Finish(Ticket ticket, Status status);
  // The job, which is not taken back until Unpin or Finish; null if it was taken back already. A
  // target then still owes Finish, which frees its place.
  EngineJob* Pin(Ticket ticket);
  void Unpin(Ticket ticket);
  // A target that was busy is not any more. (Finish says so too.)
  void Resume();

  // --- The owner's side.

  // Ends every job whose deadline is `now` or earlier. A target that has had work and finished
  // nothing for `dead_after` is dead: every waiting job ends too, and until the target finishes
  // something, resumes or is reset, Submit says kShutdown. So a wait behind it is bounded no matter
  // how many jobs somebody brings. Returns whether anything is left to expire.
  bool Expire(TimePoint now);
  // From now on Submit says kShutdown. Drain: waits for all jobs, and aborts what is left at the
  // deadline. Abort: as Cancel, for all. When this returns every job is over, and its client's to
  // deliver. Whether the target holds nothing any more.
  bool Stop(StopMode mode, TimePoint deadline);
  // Stop(kAbort), the target's Reset, and a new epoch that accepts jobs again (after a Stop, too).
  // False, and stopped, if the target neither acknowledged nor could be reset, or Stop or another
  // Reset was called meanwhile.
  bool Reset(TimePoint deadline);

  Stats stats() const;
  // Of all jobs that were delivered; nothing unless it is measured.
  std::optional<QueueLatencies> latencies() const;

 private:
  using Lock = std::unique_lock<QueueLock>;

  // One of the target's places. It is given to a job by Start, and comes free again when the target
  // acknowledges with Finish; if the job is taken back before, it stays in quarantine until then.
  struct Slot {
    enum class Abort : uint8_t { kNone, kWanted, kSent };
    bool in_use = false;
    EngineJob* job = nullptr;  // null in quarantine
    uint64_t serial = 0;
    bool is_starting = false;
    bool is_pinned = false;
    Abort abort = Abort::kNone;
    std::optional<Status> finished{};       // Finish came before Start returned
    std::optional<DoneReason> take_back{};  // as soon as it is neither starting nor pinned
  };

  // The lock is held in all that follow; those with a Lock let go of it for calls out.

  // engine_queue.cc: the life of a job.
  SubmitResult Accept(QueueClient& client, EngineJob& job);
  void Run(Lock& lock);
  bool StartNext(Lock& lock);
  bool AbortNext(Lock& lock);
  bool NotifyNext(Lock& lock);
  void AfterStart(Slot& slot, const StartResult& result, uint64_t progress_before);
  void PutBack(Slot& slot, uint64_t progress_before);
  void Promote(QueueClient& client);
  void Complete(Slot& slot, Status status);
  void End(EngineJob& job, const Outcome& outcome);
  void PostStarted(EngineJob& job);
  void PostDone(EngineJob& job);
  void NotifyIfDue(QueueClient& client);
  void Notify(QueueClient& client);
  Slot* FindSlot(Ticket ticket);
  Slot* FindFreeSlot();

  // Of a job whose OnDone is about to be called.
  void CountLatency(const EngineJob& job);

  // engine_queue_lifecycle.cc: deadlines and shutdown.
  template <class Condition>
  void Wait(Lock& lock, TimePoint deadline, Condition condition);
  template <class Predicate>
  void EndWaitingIf(QueueClient& client, DoneReason reason, Predicate predicate);
  void EndAll(Lock& lock, const QueueClient* only, TimePoint deadline);
  void TakeBack(Slot& slot, DoneReason reason);

  EngineTarget& target_;
  const Options options_;
  mutable QueueLock lock_;
  std::condition_variable_any changed_;  // for those in Wait
  int num_waiters_ = 0;
  ClientSchedule schedule_;
  std::vector<Slot> slots_;
  std::vector<QueueClient*> to_notify_;
  Stats stats_;
  const std::unique_ptr<QueueLatencies> latencies_;  // null: not measured
  size_t num_open_ = 0;                              // jobs accepted and not yet over
  size_t num_waiting_ = 0;                           // those of them that the target has not taken
  size_t num_quarantined_ = 0;
  uint64_t num_starts_ = 0;     // the last serial
  uint64_t progress_ = 0;       // counts what the target did, and beginnings of work for it
  uint64_t progress_seen_ = 0;  // by Expire,
  TimePoint progress_time_{};   // and when
  uint64_t num_stops_ = 0;
  uint32_t epoch_ = 0;
  bool is_open_ = true;  // Submit accepts
  bool is_resetting_ = false;
  bool is_starting_ = false;  // a thread is in the target's Start
  bool is_busy_ = false;      // the target said so
  bool is_dead_ = false;      // Expire says when
};

}  // namespace sealane::crypto
