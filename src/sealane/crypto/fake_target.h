// SPDX-License-Identifier: Apache-2.0
//
// For the tests of EngineQueue: a target that does what its script says, jobs with numbers, and a
// client that writes down what it is told. Owned by a test; one thread unless a test says
// otherwise.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "sealane/crypto/engine_queue.h"

namespace sealane::crypto {

struct FakeJob : EngineJob {
  int id = 0;
};

class FakeTarget final : public EngineTarget {
 public:
  struct Held {
    FakeJob* job;
    Ticket ticket;
    int steps_left;
  };
  // What it does with one job that it is offered.
  enum class Answer : uint8_t { kTake, kBusy, kFail, kFinishInside, kFinishInsideAndSayBusy };

  StartResult Start(EngineJob& job, Ticket ticket) override;
  void Abort(Ticket ticket) override;
  bool Reset() override;

  // Finishes what it holds at place `i`, and forgets it.
  void Finish(size_t i, Status status = Status::kOk);
  // One unit of virtual time: finishes those whose steps are over.
  void Step();

  EngineQueue* queue = nullptr;
  std::deque<Answer> script;         // for the next offers; then kTake
  int steps = 1;                     // how long those take that come now
  bool acknowledges_aborts = false;  // by Finish, from inside Abort
  bool can_reset = false;            // Reset forgets everything and says so
  std::function<void(FakeJob&, Ticket, Answer)> inside_start;  // called before Start answers

  std::vector<Held> held;
  std::vector<int> offered;  // ids, in the order of Start
  std::vector<Answer> answers;
  std::vector<Ticket> aborted;
  size_t most_held = 0;
};

class FakeClient final : public QueueObserver {
 public:
  FakeClient(EngineQueue& queue, const QueueClient::Share& share);
  ~FakeClient() override;

  void OnStarted(EngineJob& job) override;
  void OnDone(EngineJob& job, const Outcome& outcome) override;
  void OnReady() override;

  SubmitResult Submit(FakeJob& job) { return queue_.Submit(client, job); }
  size_t Deliver(size_t max = 1000) { return queue_.Deliver(client, max); }
  // What was written down since the last call: "started 3, done 1 ok, done 2 canceled".
  std::string TakeLog();
  int num_ready() const { return num_ready_; }

  QueueClient client;
  bool delivers_inline = false;
  std::function<void(FakeJob&)> on_started;
  std::function<void(FakeJob&, const Outcome&)> on_done;

 private:
  void Write(const std::string& line);

  EngineQueue& queue_;
  std::string log_;
  int num_ready_ = 0;
};

// A queue with its target and jobs 0 to 99.
struct QueueFixture {
  explicit QueueFixture(const EngineQueue::Options& options);

  FakeTarget target;
  EngineQueue queue;
  std::vector<FakeJob> jobs;
};

}  // namespace sealane::crypto
