// SPDX-License-Identifier: Apache-2.0
//
// QueueModel: what an EngineQueue must do, in the plainest form: one state per job, and a judge of
// every result and event. It shares no code and no structure with the queue: it is told what was
// called and what the target was offered, and it says what is wrong with what comes out. For tests;
// one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/fake_target.h"

namespace sealane::crypto {

class QueueModel {
 public:
  static constexpr int kNoOrder = -1;

  QueueModel(std::vector<QueueClient::Share> shares, size_t num_jobs, size_t in_flight)
      : shares_(std::move(shares)),
        jobs_(num_jobs),
        ready_(shares_.size()),
        in_flight_(in_flight) {}

  // --- Calls, as they are made. Submit says what the result must be; the test then reports it.
  SubmitResult Expected(int client, int job) const;
  void Accepted(int client, int job, int order, SubmitResult result);
  // The target was offered the job and answered so.
  void Offered(int job, FakeTarget::Answer answer);
  // The target finished a job that it holds (or one that was taken back from it).
  void Finished(int job, Status status);
  // Every job of the client (-1: all) that `is_meant` was ended so.
  void Ended(int job, DoneReason reason);
  void SetOpen(bool is_open) { is_open_ = is_open; }

  // --- Events, as they come.
  void OnStarted(int client, int job);
  void OnDone(int client, int job, const Outcome& outcome);
  void OnReady(int client);
  // Deliver returned; all was delivered unless it hit its bound.
  void Delivered(int client, bool is_all);

  // --- After each call: what must hold then.
  void CheckAtRest(bool is_target_busy);

  bool IsWaiting(int job) const;
  bool IsInFlight(int job) const { return jobs_[At(job)].state == State::kInFlight; }
  int client_of(int job) const { return jobs_[At(job)].client; }
  bool IsIdle(int job) const { return jobs_[At(job)].state == State::kIdle; }
  size_t num_quarantined() const { return num_quarantined_; }
  void ForgetQuarantined() { num_quarantined_ = 0; }

  // What was wrong; empty if nothing was.
  const std::string& complaint() const { return complaint_; }

 private:
  enum class State : uint8_t { kIdle, kQueued, kBacklogged, kInFlight, kEnded };
  struct Job {
    State state = State::kIdle;
    int client = 0;
    int order = kNoOrder;
    long submitted = 0;  // counts submissions
    bool owes_started = false;
    bool may_start = false;  // OnStarted may come
    Outcome outcome;
  };

  static size_t At(int i) { return static_cast<size_t>(i); }
  void Complain(const std::string& what, int job);
  size_t Count(int client, State state) const;
  // The first job of the client in that state, by submission; -1 if there is none.
  int First(int client, State state) const;
  void MoveUp(int client);
  void End(int job, const Outcome& outcome);
  // Over, and nothing before it in its order is still to be delivered.
  bool IsDeliverable(const Job& job) const;
  bool HasEvents(int client) const;

  const std::vector<QueueClient::Share> shares_;
  std::vector<Job> jobs_;
  std::vector<bool> ready_;  // by client: OnReady came, and Deliver has not emptied it since
  const size_t in_flight_;
  size_t num_quarantined_ = 0;
  long num_submitted_ = 0;
  bool is_open_ = true;
  std::string complaint_;
};

}  // namespace sealane::crypto
