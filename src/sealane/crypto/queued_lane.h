// SPDX-License-Identifier: Apache-2.0
//
// QueuedLane: an EngineQueue as a lane. Submit takes what queue and backlog take; what does not fit
// the caller keeps (the device then stops popping that ring) until completions, which wake it
// through its waker, make room. Poll runs the completions on the lane's own thread. A job that the
// queue does not accept at all, or that times out, comes back with kError.
//
// Belongs to one thread, as every lane. Jobs live in a pool of the lane: no allocation per op.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/lane.h"
#include "sealane/crypto/queue_watchdog.h"

namespace sealane::crypto {

// What the target finds in the jobs that it is given.
struct LaneJob : EngineJob {
  Op* op = nullptr;
  LaneSession* session = nullptr;  // the target's own, made by QueuedSessions
};

// Makes the lane sessions of the target behind the queue. Called on the lane's thread.
class QueuedSessions {
 public:
  virtual ~QueuedSessions() = default;
  virtual Result<std::unique_ptr<LaneSession>> OpenSession(
      std::shared_ptr<const Session> session) = 0;
};

class QueuedLane final : public Lane, private QueueObserver {
 public:
  struct Options {
    QueueClient::Share share;
    size_t in_flight = 1;                                     // the queue's
    QueueClock::duration timeout = std::chrono::seconds(10);  // of an op, from its Submit
  };

  // All outlive the lane. kNoSpace: the queue has no room for its share.
  static Result<std::unique_ptr<QueuedLane>> Create(EngineQueue& queue, QueueWatchdog& watchdog,
                                                    QueuedSessions& sessions, Waker& waker,
                                                    const Options& options);
  // Takes back what is in flight; its ops are not returned any more.
  ~QueuedLane() override;

  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> session) override;
  size_t Submit(std::span<Op* const> ops) override;
  size_t Poll(std::span<Op*> done) override;
  void Flush() override {}  // nothing is held back: the queue starts what it can
  size_t in_flight() const override { return jobs_.size() - free_.size(); }

 private:
  QueuedLane(EngineQueue& queue, QueueWatchdog& watchdog, QueuedSessions& sessions, Waker& waker,
             const Options& options);
  // The job on top of the free ones, `i` below it.
  LaneJob& FreeJob(size_t i) { return *free_[free_.size() - 1 - i]; }
  size_t SubmitBatch(size_t wanted);
  // The job on top of the free ones comes back from Poll with kError.
  void Refuse();
  void OnStarted(EngineJob& job) override;
  void OnDone(EngineJob& job, const Outcome& outcome) override;
  void OnReady() override { waker_.Wake(); }

  EngineQueue& queue_;
  QueueWatchdog& watchdog_;
  QueuedSessions& sessions_;
  Waker& waker_;
  const QueueClock::duration timeout_;
  QueueClient client_;
  std::vector<LaneJob> jobs_;  // what queue and target take, and as many that wait for Poll
  std::vector<LaneJob*> free_;
  std::vector<EngineJob*> batch_;  // Submit's
  std::vector<LaneJob*> refused_;  // for good: waiting for Poll, with kError
  bool is_full_ = false;           // the last Submit was refused, and nothing has changed since
  std::span<Op*> done_;            // Poll's, while it delivers; else empty
};

}  // namespace sealane::crypto
