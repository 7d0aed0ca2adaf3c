// SPDX-License-Identifier: Apache-2.0
//
// EngineQueue's contract, case by case: results, events, order, deadlines, shutdown.
#include "sealane/crypto/engine_queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "sealane/crypto/fake_target.h"

namespace sealane::crypto {
namespace {

using Answer = FakeTarget::Answer;
using enum SubmitResult;
using std::chrono::milliseconds;
using std::chrono::seconds;

EngineQueue::TimePoint Now() { return QueueClock::now(); }

TEST(EngineQueueSubmit, QueueBacklogThenFull_ResultsOfTheTable) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 2, .backlog = 2});
  EXPECT_EQ(client.Submit(f.jobs[0]), kQueued) << "it is started at once";
  EXPECT_EQ(client.Submit(f.jobs[1]), kQueued);
  EXPECT_EQ(client.Submit(f.jobs[2]), kQueued);
  EXPECT_EQ(client.Submit(f.jobs[3]), kBacklogged);
  EXPECT_EQ(client.Submit(f.jobs[4]), kBacklogged);
  EXPECT_EQ(client.Submit(f.jobs[5]), kFull);
  EXPECT_EQ(f.target.offered, std::vector<int>{0});
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "");
}

TEST(EngineQueueSubmit, OnItsWayOrTooCostlyOrUnregistered_Invalid) {
  QueueFixture f({});
  FakeClient client(f.queue, {});
  QueueClient stranger(client, {});
  EXPECT_EQ(f.queue.Submit(stranger, f.jobs[0]), kInvalid);
  EXPECT_EQ(client.Submit(f.jobs[0]), kQueued);
  EXPECT_EQ(client.Submit(f.jobs[0]), kInvalid);
  f.jobs[1].cost = ClientSchedule::kMaxCost + 1;
  EXPECT_EQ(client.Submit(f.jobs[1]), kInvalid);
  f.target.Finish(0);
  EXPECT_EQ(client.Submit(f.jobs[0]), kInvalid) << "it is over, but not yet the caller's";
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 ok");
  EXPECT_EQ(client.Submit(f.jobs[0]), kQueued);
}

TEST(EngineQueueSubmit, SeveralAtOnce_UpToTheFirstRefusedOne) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 2, .backlog = 1});
  std::vector<EngineJob*> jobs;
  for (size_t i = 0; i < 5; ++i) jobs.push_back(&f.jobs[i]);
  EXPECT_EQ(f.queue.SubmitAll(client.client, jobs), (SubmitCount{3, kFull}))
      << "nothing was started before all were looked at";
  EXPECT_EQ(f.target.offered, std::vector<int>{0});
  EXPECT_EQ(f.queue.SubmitAll(client.client, {}), SubmitCount{});
  EXPECT_EQ(f.queue.SubmitAll(client.client, std::span(jobs).subspan(3, 1)),
            (SubmitCount{1, kBacklogged}));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 2");
}

TEST(EngineQueueEvents, BackloggedMovesUp_StartedOnceThenDone) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1, .backlog = 2});
  for (int i = 0; i < 4; ++i) client.Submit(f.jobs[static_cast<size_t>(i)]);
  f.target.Finish(0);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 2, done 0 ok") << "1 runs, 2 counts as queued, 3 not yet";
  while (!f.target.held.empty()) f.target.Finish(0);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 3, done 1 ok, done 2 ok, done 3 ok");
}

TEST(EngineQueueEvents, Ready_OncePerEmptyToNotEmpty) {
  QueueFixture f({.in_flight = 4});
  FakeClient client(f.queue, {.queue = 4});
  for (size_t i = 0; i < 4; ++i) client.Submit(f.jobs[i]);
  f.target.Finish(0);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 1);
  EXPECT_EQ(client.Deliver(1), 1U) << "bounded, and there is more";
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 1) << "not empty in between";
  EXPECT_EQ(client.Deliver(), 2U);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 2);
}

TEST(EngineQueueEvents, WakeBatch_WaitsOnlyWhileTheTargetHasMore) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 8, .wake_batch = 3});
  client.Submit(f.jobs[0]);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 1) << "a lone submitter is not delayed";
  client.Deliver();
  for (size_t i = 0; i < 8; ++i) client.Submit(f.jobs[i]);
  f.target.Finish(0);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 1);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 2) << "three at once";
  client.Deliver();
  for (int i = 0; i < 2; ++i) f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 2) << "6 is queued, 7 too";
  f.queue.Expire(Now());
  EXPECT_EQ(client.num_ready(), 3) << "nor is anything withheld from one tick to the next";
  client.Deliver();
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 3);
  f.target.Finish(0);
  EXPECT_EQ(client.num_ready(), 4) << "the last one runs, and the client should bring more";
}

TEST(EngineQueueEvents, WakeBatchAmongOthers_EachOnceWhenItsLastIsDoneOrTheTargetRunsDry) {
  QueueFixture f({.in_flight = 1});
  FakeClient one(f.queue, {.queue = 4, .wake_batch = 8});
  FakeClient other(f.queue, {.queue = 4, .wake_batch = 8});
  one.Submit(f.jobs[0]);
  other.Submit(f.jobs[1]);
  other.Submit(f.jobs[2]);
  other.Submit(f.jobs[3]);
  f.target.Finish(0);
  EXPECT_EQ(one.num_ready(), 1) << "it has nothing else to wait for";
  one.Deliver();
  f.target.Finish(0);
  EXPECT_EQ(other.num_ready(), 0);
  f.target.Finish(0);
  EXPECT_EQ(other.num_ready(), 1) << "its last one runs, and nothing waits behind it";
}

TEST(EngineQueueOrder, OneOrder_DoneInOrderOfSubmitOthersAreNot) {
  QueueFixture f({.in_flight = 4});
  FakeClient client(f.queue, {.queue = 4});
  JobOrder order;
  f.jobs[0].order = f.jobs[2].order = &order;
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  f.target.Finish(2);
  f.target.Finish(1);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 1 ok");
  f.target.Finish(0);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 ok, done 2 ok");
  EXPECT_TRUE(order.empty());
}

TEST(EngineQueueOrder, TwoClients_BytesSharedWhateverTheirJobsSize) {
  QueueFixture f({.queue_depth = 200, .in_flight = 1});
  FakeClient small(f.queue, {.queue = 80});
  FakeClient large(f.queue, {.queue = 20});
  for (size_t i = 0; i < 80; ++i) {
    f.jobs[i].cost = 16 << 10;
    small.Submit(f.jobs[i]);
  }
  for (size_t i = 80; i < 100; ++i) {
    f.jobs[i].cost = 256 << 10;
    large.Submit(f.jobs[i]);
  }
  uint64_t bytes[2] = {};
  for (int i = 0; i < 60; ++i) {
    const FakeJob& job = *f.target.held[0].job;
    bytes[job.id < 80 ? 0 : 1] += job.cost;
    f.target.Finish(0);
    const uint64_t apart = bytes[0] > bytes[1] ? bytes[0] - bytes[1] : bytes[1] - bytes[0];
    EXPECT_LE(apart, (256U << 10) + 2 * ClientSchedule::kQuantum) << i;
  }
}

TEST(EngineQueueTarget, BusyWithNothingInFlight_ResumeOffersAgain) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 4});
  f.target.script = {Answer::kBusy, Answer::kBusy};
  client.Submit(f.jobs[0]);
  client.Submit(f.jobs[1]);
  EXPECT_EQ(f.target.offered, std::vector<int>{0}) << "not asked again for each Submit";
  f.queue.Resume();
  f.queue.Expire(Now());
  EXPECT_EQ(f.target.offered, (std::vector<int>{0, 0, 0, 1})) << "in their order; Expire asks too";
}

TEST(EngineQueueTarget, BusyWhileACompletionComes_AsksAgainAtOnce) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 4});
  client.Submit(f.jobs[0]);
  f.target.script = {Answer::kBusy};
  f.target.inside_start = [&](FakeJob&, Ticket, Answer) {
    if (f.target.held.size() == 1 && f.target.answers.size() == 2) f.target.Finish(0);
  };
  client.Submit(f.jobs[1]);
  EXPECT_EQ(f.target.offered, (std::vector<int>{0, 1, 1}))
      << "the completion that it would have waited for had come already";
}

TEST(EngineQueueTarget, FailsAtStart_DoneWithItsStatus) {
  QueueFixture f({});
  FakeClient client(f.queue, {.queue = 2});
  f.target.script = {Answer::kFail};
  EXPECT_EQ(client.Submit(f.jobs[0]), kQueued);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 error");
  client.Submit(f.jobs[1]);
  EXPECT_EQ(f.target.held.size(), 1U);
}

TEST(EngineQueueTarget, FinishesInsideStart_DoneOnceAndNextStarts) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 4});
  f.target.script = {Answer::kFinishInside, Answer::kFinishInsideAndSayBusy};
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 ok, done 1 ok");
  EXPECT_EQ(f.target.held.size(), 1U);
}

TEST(EngineQueueTarget, WrongTickets_IgnoredAndCounted) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 2});
  client.Submit(f.jobs[0]);
  const Ticket ticket = f.target.held[0].ticket;
  f.target.Finish(0);
  f.queue.Finish(ticket, Status::kOk);
  f.queue.Finish({.slot = 77, .epoch = 0, .serial = 1}, Status::kOk);
  f.queue.Finish({.slot = 0, .epoch = 5, .serial = 1}, Status::kOk);
  EXPECT_EQ(f.queue.Pin(ticket), nullptr);
  f.queue.Unpin(ticket);
  client.Submit(f.jobs[1]);
  f.queue.Finish(ticket, Status::kOk);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 ok") << "1 has the same place, but another ticket";
  EXPECT_EQ(f.queue.stats().double_finishes, 3U);
  EXPECT_EQ(f.queue.stats().stale_finishes, 1U);
}

TEST(EngineQueueLatency, Measured_EachDeliveredJobOnce) {
  QueueFixture f({.in_flight = 1, .measure_latency = true});
  FakeClient client(f.queue, {.queue = 3});
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(client.Submit(f.jobs[i]), kQueued);
  std::this_thread::sleep_for(milliseconds(2));
  f.target.Finish(0);
  f.target.Finish(0);
  client.Deliver();
  const QueueLatencies two = f.queue.latencies().value();
  EXPECT_EQ(two.wait.count(), 2U);
  EXPECT_EQ(two.service.count(), 2U);
  EXPECT_EQ(two.total.count(), 2U);
  EXPECT_GE(two.wait.max_us(), 2000) << "the second waited while the first was with the target";
  EXPECT_GE(two.service.max_us(), 2000);
  EXPECT_GE(two.total.max_us(), two.service.max_us());
  f.queue.Cancel(client.client, Now());  // the third is with the target
  client.Deliver();
  EXPECT_EQ(f.queue.latencies()->total.count(), 3U);
  f.target.Finish(0);
}

TEST(EngineQueueLatency, NeverStarted_CountsInTheTotalOnly) {
  QueueFixture f({.in_flight = 1, .measure_latency = true});
  FakeClient client(f.queue, {.queue = 3});
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(client.Submit(f.jobs[i]), kQueued);
  f.jobs[1].deadline = Now();
  f.queue.Expire(Now());
  client.Deliver();
  const QueueLatencies one = f.queue.latencies().value();
  EXPECT_EQ(one.total.count(), 1U);
  EXPECT_EQ(one.wait.count(), 0U);
  EXPECT_EQ(one.service.count(), 0U);
  f.target.Finish(0);
  client.Deliver();
}

TEST(EngineQueueLatency, NotAskedFor_IsNotMeasured) {
  QueueFixture f({});
  EXPECT_FALSE(f.queue.latencies().has_value());
}

}  // namespace
}  // namespace sealane::crypto
