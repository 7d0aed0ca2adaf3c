// SPDX-License-Identifier: Apache-2.0
//
// EngineJob: one piece of work for an EngineQueue. The caller owns it, usually as the base of what
// the engine needs to know; the queue links it into its lists, so that nothing is allocated per
// job. From an accepting Submit until OnDone nobody changes it and its memory stays where it is.
//
// JobOrder: jobs that name the same one (those of one session) are started and done in the order of
// their Submit. The caller owns it; it outlives its jobs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sealane/crypto/status.h"

namespace sealane::crypto {

class EngineJob;
class QueueClient;
using QueueClock = std::chrono::steady_clock;

// What Submit says. Its callers get one OnDone for each accepted job (kQueued, kBacklogged) and
// nothing for any other.
enum class SubmitResult : uint8_t {
  kQueued,      // waits in the queue
  kBacklogged,  // waits behind a full queue; OnStarted comes first. The client should stop here.
  kFull,      // not taken: queue and backlog are full. Some of the client's jobs are on their way.
  kShutdown,  // not taken: stopped, resetting, or the target answers nothing any more
  kInvalid,   // not taken: the job is on its way already, costs too much, or has a foreign client
};

// What SubmitAll says: the first `accepted` jobs are. `last` is the result of the one behind them
// if there was one, else that of the last accepted.
struct SubmitCount {
  size_t accepted = 0;
  SubmitResult last = SubmitResult::kQueued;
  bool operator==(const SubmitCount&) const = default;
};

enum class DoneReason : uint8_t {
  kFinished,  // the target said so; the status is its own
  kTimedOut,  // the deadline passed first; the status is kError
  kCanceled,  // Cancel, Stop or Reset; the status is kError
};

struct Outcome {
  DoneReason reason = DoneReason::kFinished;
  Status status = Status::kOk;
  bool operator==(const Outcome&) const = default;
};

// A list of jobs through one of their links.
template <EngineJob* EngineJob::* kNext>
class JobFifo {
 public:
  JobFifo() = default;
  JobFifo(JobFifo&& other) noexcept { *this = std::move(other); }
  JobFifo& operator=(JobFifo&& other) noexcept {
    first_ = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  bool empty() const { return first_ == nullptr; }
  size_t size() const { return size_; }
  EngineJob& front() const { return *first_; }

  void PushBack(EngineJob& job) {
    job.*kNext = nullptr;
    (empty() ? first_ : last_->*kNext) = &job;
    last_ = &job;
    ++size_;
  }
  void PushFront(EngineJob& job) {
    job.*kNext = first_;
    if (empty()) last_ = &job;
    first_ = &job;
    ++size_;
  }
  EngineJob& PopFront() {
    EngineJob& job = *first_;
    first_ = job.*kNext;
    if (empty()) last_ = nullptr;
    --size_;
    return job;
  }

 private:
  EngineJob* first_ = nullptr;
  EngineJob* last_ = nullptr;
  size_t size_ = 0;
};

class JobOrder;

class EngineJob {
 public:
  // Set by the caller, while the job is not on its way.
  JobOrder* order = nullptr;  // null: in no order
  uint64_t cost = 0;          // bytes; what the client's turn is charged with
  QueueClock::time_point deadline = QueueClock::time_point::max();

 private:
  friend class ClientSchedule;
  friend class EngineQueue;
  friend class JobOrder;
  friend class QueueClient;
  enum class State : uint8_t { kIdle, kAccepted, kEnded };

  State state_ = State::kIdle;
  bool owes_started_ = false;  // backlogged, and OnStarted not yet on its way
  Outcome outcome_;            // once ended
  QueueClient* client_ = nullptr;
  QueueClock::time_point accepted_at_{};  // these two only where latencies are measured
  QueueClock::time_point started_at_{};
  EngineJob* next_ = nullptr;       // in its client's queue or backlog, later in its done list
  EngineJob* next_told_ = nullptr;  // in its client's list of OnStarted calls to make
  EngineJob* next_in_order_ = nullptr;
};

class JobOrder {
 public:
  // No job of it is on its way.
  bool empty() const { return jobs_.empty(); }

 private:
  friend class EngineQueue;
  JobFifo<&EngineJob::next_in_order_> jobs_;  // accepted, not yet handed to their clients
};

}  // namespace sealane::crypto
