// SPDX-License-Identifier: Apache-2.0
//
// What has gone wrong in the crypto queues of kernels, one test each. tests/faults/README.md has
// the table of rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/fake_target.h"

namespace sealane::crypto {
namespace {

using Answer = FakeTarget::Answer;
using enum SubmitResult;
using std::chrono::milliseconds;
using std::chrono::seconds;

EngineQueue::TimePoint Now() { return QueueClock::now(); }

// Counts events of jobs 0 to 99.
struct Counts {
  explicit Counts(FakeClient& client) {
    client.on_started = [this](FakeJob& job) { ++started.at(static_cast<size_t>(job.id)); };
    client.on_done = [this](FakeJob& job, const Outcome&) {
      ++done.at(static_cast<size_t>(job.id));
    };
  }
  std::array<int, 100> started{};
  std::array<int, 100> done{};
};

// Row 1.
TEST(QueueFaults, FilledAndMore_BackloggedStartedOnceRefusedNothing) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 3, .backlog = 5});
  Counts counts(client);
  std::array<SubmitResult, 20> results{};
  for (size_t i = 0; i < 20; ++i) results[i] = client.Submit(f.jobs[i]);
  EXPECT_EQ(std::ranges::count(results, kQueued), 4);
  EXPECT_EQ(std::ranges::count(results, kBacklogged), 5);
  while (!f.target.held.empty()) f.target.Finish(0);
  client.Deliver();
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(counts.started[i], results[i] == kBacklogged ? 1 : 0) << i;
    EXPECT_EQ(counts.done[i], results[i] == kFull ? 0 : 1) << i;
  }
}

// Row 2.
TEST(QueueFaults, BusyManyTimes_NobodyMovesUpAndNothingIsLost) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 1, .backlog = 3});
  Counts counts(client);
  f.target.script = {Answer::kBusy, Answer::kBusy, Answer::kBusy};
  for (size_t i = 0; i < 4; ++i) client.Submit(f.jobs[i]);
  for (int i = 0; i < 2; ++i) {
    f.queue.Resume();
    client.Deliver();
    EXPECT_EQ(client.TakeLog(), "") << "told that it counts as queued, and put back";
    EXPECT_EQ(client.Submit(f.jobs[50]), kFull) << "the one that was put back has its place";
  }
  f.queue.Resume();
  while (!f.target.held.empty()) f.target.Finish(0);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(),
            "started 1, started 2, started 3, done 0 ok, done 1 ok, done 2 ok, done 3 ok");
  EXPECT_EQ(counts.started, (std::array<int, 100>{0, 1, 1, 1}));
}

// A queue as the target of another one.
class Stacked final : public EngineTarget, public QueueObserver {
 public:
  Stacked(EngineQueue& below, size_t depth)
      : queue(*this, {.in_flight = depth}),
        below_(below),
        client_(*this, {.queue = 1, .backlog = 1}),
        wrapped_(depth) {
    EXPECT_TRUE(below_.AddClient(client_).has_value());
  }
  ~Stacked() override { below_.RemoveClient(client_); }

  StartResult Start(EngineJob& /*job*/, Ticket ticket) override {
    Wrapped& wrapped = wrapped_.at(ticket.slot);
    wrapped.ticket = ticket;
    switch (below_.Submit(client_, wrapped)) {
      case kQueued:
      case kBacklogged:
        return {.kind = StartResult::Kind::kStarted};
      case kFull:
        return {.kind = StartResult::Kind::kBusy};
      case kShutdown:
      case kInvalid:
        break;
    }
    return {.kind = StartResult::Kind::kFailed, .status = Status::kError};
  }
  void OnStarted(EngineJob& /*job*/) override {}
  void OnDone(EngineJob& job, const Outcome& outcome) override {
    queue.Finish(static_cast<Wrapped&>(job).ticket, outcome.status);
  }
  void OnReady() override { below_.Deliver(client_, 100); }

  EngineQueue queue;

 private:
  struct Wrapped : FakeJob {
    Ticket ticket;
  };
  EngineQueue& below_;
  QueueClient client_;
  std::vector<Wrapped> wrapped_;
};

// Row 4.
TEST(QueueFaults, ThreeQueuesOnTopOfEachOther_TheTopSeesEachEventOnce) {
  QueueFixture f({.in_flight = 1});
  Stacked third(f.queue, 3);
  Stacked second(third.queue, 4);
  Stacked first(second.queue, 5);
  FakeClient client(first.queue, {.queue = 4, .backlog = 20});
  Counts counts(client);
  std::array<SubmitResult, 40> results{};
  for (size_t i = 0; i < 40; ++i) results[i] = client.Submit(f.jobs[i]);
  while (!f.target.held.empty()) f.target.Finish(0);
  client.Deliver();
  EXPECT_GT(std::ranges::count(results, kFull), 0);
  for (size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(counts.started[i], results[i] == kBacklogged ? 1 : 0) << i;
    EXPECT_EQ(counts.done[i], results[i] == kFull ? 0 : 1) << i;
  }
}

// Row 6.
TEST(QueueFaults, JobFreedAtItsDone_NothingTouchesItAfterwards) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1, .backlog = 8});
  std::array<std::unique_ptr<FakeJob>, 9> jobs;
  client.on_done = [&jobs](FakeJob& job, const Outcome&) {
    jobs.at(static_cast<size_t>(job.id)).reset();
  };
  for (size_t i = 0; i < jobs.size(); ++i) {
    jobs[i] = std::make_unique<FakeJob>();
    jobs[i]->id = static_cast<int>(i);
    client.Submit(*jobs[i]);
  }
  for (int i = 0; i < 4; ++i) f.target.Finish(0);
  client.Deliver();
  f.queue.Stop(StopMode::kAbort, Now());
  client.Deliver();
  EXPECT_TRUE(std::ranges::all_of(jobs, [](const auto& job) { return job == nullptr; }));
}

// Row 9.
TEST(QueueFaults, StoppedWithEverythingFull_EachDoneOnceInBoundedTime) {
  for (const bool acknowledges : {true, false}) {
    QueueFixture f({.in_flight = 3});
    f.target.acknowledges_aborts = acknowledges;
    FakeClient one(f.queue, {.queue = 4, .backlog = 4});
    FakeClient two(f.queue, {.queue = 4, .backlog = 4});
    Counts counts_one(one);
    Counts counts_two(two);
    for (size_t i = 0; i < 50; ++i) one.Submit(f.jobs[i]);
    for (size_t i = 50; i < 100; ++i) two.Submit(f.jobs[i]);
    const auto start = Now();
    EXPECT_EQ(f.queue.Stop(StopMode::kAbort, start + milliseconds(20)), acknowledges);
    EXPECT_LT(Now() - start, seconds(10));
    EXPECT_EQ(one.Deliver() + two.Deliver(), 3U + 16U);
    for (size_t i = 0; i < 100; ++i) EXPECT_LE(counts_one.done[i] + counts_two.done[i], 1) << i;
    while (!f.target.held.empty()) f.target.Finish(0);
    EXPECT_EQ(one.Deliver() + two.Deliver(), 0U) << "late answers";
  }
}

// Row 18.
TEST(QueueFaults, OneClientTooMany_ItIsToldAndTheOthersKeepTheirRoom) {
  QueueFixture f({.queue_depth = 4, .backlog_depth = 4, .in_flight = 1});
  FakeClient greedy(f.queue, {.queue = 2, .backlog = 2});
  FakeClient modest(f.queue, {.queue = 2, .backlog = 2});
  QueueClient extra(greedy, {.queue = 1});
  const auto added = f.queue.AddClient(extra);
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code, ErrorCode::kNoSpace);
  for (FakeJob& job : f.jobs) job.cost = ClientSchedule::kQuantum;
  for (size_t i = 0; i < 50; ++i) greedy.Submit(f.jobs[i]);
  EXPECT_EQ(modest.Submit(f.jobs[50]), kQueued) << "whatever the other one does";
  while (!f.target.held.empty() && f.target.held[0].job->id != 50) f.target.Finish(0);
  EXPECT_LE(f.target.offered.size(), 3U) << "it has its turn before the other's queue is empty";
}

// Row 18.
TEST(QueueFaults, CompletionsThatBringMore_EachTurnIsBounded) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 4});
  int num_left = 1000;
  client.on_done = [&](FakeJob& job, const Outcome&) {
    if (--num_left == 0) return;
    client.Submit(job);
    f.target.Finish(0);
  };
  client.Submit(f.jobs[0]);
  f.target.Finish(0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.Deliver(10), 10U);
  EXPECT_EQ(num_left, 0);
}

// Row 19: on the thread that finishes, too.
TEST(QueueFaults, CallbackTakesTheAppsLockAndResubmits_NoDeadlock) {
  for (const bool is_inline : {false, true}) {
    QueueFixture f({.in_flight = 1});
    FakeClient client(f.queue, {.queue = 2, .backlog = 2});
    client.delivers_inline = is_inline;
    std::mutex app_lock;
    auto order = std::make_unique<JobOrder>();
    int num_done = 0;
    client.on_done = [&](FakeJob& job, const Outcome&) {
      const std::lock_guard lock(app_lock);
      if (++num_done < 50) return void(client.Submit(job));
      if (num_done == 50) job.order = nullptr;
      if (order->empty()) order.reset();  // its session is destroyed from in here
    };
    f.jobs[0].order = order.get();
    client.Submit(f.jobs[0]);
    while (!f.target.held.empty()) {
      f.target.Finish(0);
      client.Deliver();
    }
    EXPECT_EQ(num_done, 50);
    EXPECT_EQ(order, nullptr);
  }
}

// Row 19.
TEST(QueueFaults, CallbackBlocks_OtherClientsAndTheTargetGoOn) {
  QueueFixture f({.in_flight = 1});
  FakeClient blocked(f.queue, {.queue = 2});
  FakeClient other(f.queue, {.queue = 2});
  std::mutex mutex;
  std::condition_variable changed;
  bool is_inside = false;
  bool may_go = false;
  blocked.on_done = [&](FakeJob&, const Outcome&) {
    std::unique_lock lock(mutex);
    is_inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return may_go; });
  };
  blocked.Submit(f.jobs[0]);
  f.target.Finish(0);
  std::thread thread([&] { blocked.Deliver(); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_inside; });
  }
  blocked.Submit(f.jobs[1]);
  other.Submit(f.jobs[2]);
  f.target.Finish(0);
  f.target.Finish(0);
  EXPECT_EQ(other.Deliver(), 1U);
  EXPECT_EQ(blocked.Deliver(), 0U) << "one deliverer at a time";
  {
    const std::lock_guard lock(mutex);
    may_go = true;
  }
  changed.notify_all();
  thread.join();
  EXPECT_EQ(blocked.TakeLog(), "done 0 ok, done 1 ok");
}

// Row 20.
TEST(QueueFaults, SubmitFromACallbackWithEverythingFull_RefusedNotBlocked) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1, .backlog = 1});
  client.delivers_inline = true;
  int num_full = 0;
  client.on_done = [&](FakeJob&, const Outcome&) {
    for (size_t i = 10; i < 20; ++i) num_full += client.Submit(f.jobs[i]) == kFull ? 1 : 0;
  };
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  f.target.Finish(0);
  EXPECT_GT(num_full, 0);
}

// Rows 9 and 19.
TEST(QueueFaults, CallbackStopsTheQueue_EverythingOverNoDeadlock) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 2, .backlog = 2});
  client.delivers_inline = true;
  bool is_first = true;
  client.on_done = [&](FakeJob&, const Outcome&) {
    if (!std::exchange(is_first, false)) return;
    EXPECT_FALSE(f.queue.Stop(StopMode::kDrain, Now() + milliseconds(5)));
    EXPECT_EQ(client.Submit(f.jobs[50]), kShutdown);
  };
  for (size_t i = 0; i < 6; ++i) client.Submit(f.jobs[i]);
  f.target.Finish(0);
  EXPECT_EQ(f.queue.stats().finished + f.queue.stats().canceled, 6U);
  EXPECT_EQ(client.Deliver(), 0U) << "all delivered, to whoever was delivering";
}

}  // namespace
}  // namespace sealane::crypto
