// SPDX-License-Identifier: Apache-2.0
//
// EngineQueue's deadlines, pins, cancel, stop and reset.
#include <gtest/gtest.h>

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
// Virtual time.
EngineQueue::TimePoint At(int second) { return EngineQueue::TimePoint(seconds(1000 + second)); }

TEST(EngineQueueDeadline, TargetNeverFinishes_TimedOutAndItsPlaceQuarantined) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 2});
  f.jobs[0].deadline = At(2);
  f.jobs[1].deadline = At(100);
  client.Submit(f.jobs[0]);
  client.Submit(f.jobs[1]);
  EXPECT_TRUE(f.queue.Expire(At(1)));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "");
  EXPECT_TRUE(f.queue.Expire(At(2)));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 timed out");
  EXPECT_EQ(f.target.aborted.size(), 1U);
  EXPECT_EQ(f.queue.Pin(f.target.held[0].ticket), nullptr) << "its memory is gone";
  EXPECT_EQ(f.target.offered, std::vector<int>{0}) << "the place is not free";
  f.target.Finish(0);
  EXPECT_EQ(f.queue.stats().late_finishes, 1U);
  EXPECT_EQ(f.target.offered, (std::vector<int>{0, 1}));
}

TEST(EngineQueueDeadline, Waiting_TimedOutAndTheBacklogMovesUp) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1, .backlog = 2});
  f.jobs[1].deadline = At(1);
  for (size_t i = 0; i < 4; ++i) client.Submit(f.jobs[i]);
  f.queue.Expire(At(1));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 2, done 1 timed out");
}

TEST(EngineQueueDeadline, Pinned_TakenBackAtUnpinOrFinished) {
  QueueFixture f({.in_flight = 2});
  FakeClient client(f.queue, {.queue = 2});
  for (size_t i = 0; i < 2; ++i) {
    f.jobs[i].deadline = At(1);
    client.Submit(f.jobs[i]);
    EXPECT_EQ(f.queue.Pin(f.target.held[i].ticket), &f.jobs[i]);
  }
  f.queue.Expire(At(1));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "") << "the target may be writing";
  f.queue.Unpin(f.target.held[0].ticket);
  f.target.Finish(1);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 timed out, done 1 ok");
}

TEST(EngineQueueDeadline, NothingFinishedForLong_DeadUntilItFinishes) {
  QueueFixture f({.in_flight = 1, .dead_after = seconds(5)});
  FakeClient client(f.queue, {.queue = 1, .backlog = 1});
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  f.queue.Expire(At(0));
  f.queue.Expire(At(4));
  EXPECT_EQ(client.num_ready(), 0);
  f.queue.Expire(At(5));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 2, done 1 timed out, done 2 timed out");
  EXPECT_EQ(client.Submit(f.jobs[1]), kShutdown) << "nobody waits for it any more";
  f.target.Finish(0);
  EXPECT_EQ(client.Submit(f.jobs[1]), kQueued);
}

TEST(EngineQueueDeadline, ImpatientClientBehindABusyTarget_TargetIsNotDead) {
  QueueFixture f({.in_flight = 1, .dead_after = seconds(5)});
  FakeClient client(f.queue, {.queue = 4});
  f.jobs[1].deadline = At(-100);
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  f.queue.Expire(At(0));
  f.queue.Expire(At(4));
  f.target.Finish(0);
  f.queue.Expire(At(8));
  EXPECT_EQ(client.Submit(f.jobs[3]), kQueued);
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 1 timed out, done 0 ok");
}

TEST(EngineQueueDeadline, IdleForLong_NotDead) {
  QueueFixture f({.in_flight = 1, .dead_after = seconds(5)});
  FakeClient client(f.queue, {.queue = 4});
  client.Submit(f.jobs[0]);
  f.queue.Expire(At(0));
  f.target.Finish(0);
  EXPECT_FALSE(f.queue.Expire(At(1)));
  client.Deliver();
  client.Submit(f.jobs[0]);
  f.queue.Expire(At(50));
  EXPECT_EQ(client.Submit(f.jobs[1]), kQueued) << "nobody looked meanwhile: not the target's fault";
}

TEST(EngineQueueCancel, OneClient_ItsJobsOverTheOthersUntouched) {
  QueueFixture f({.in_flight = 2});
  FakeClient leaving(f.queue, {.queue = 1, .backlog = 1});
  FakeClient other(f.queue, {.queue = 2});
  leaving.Submit(f.jobs[0]);
  other.Submit(f.jobs[1]);
  leaving.Submit(f.jobs[2]);
  leaving.Submit(f.jobs[3]);
  f.queue.Cancel(leaving.client, Now());
  leaving.Deliver();
  EXPECT_EQ(leaving.TakeLog(), "started 3, done 2 canceled, done 3 canceled, done 0 canceled");
  f.target.Finish(1);
  other.Deliver();
  EXPECT_EQ(other.TakeLog(), "done 1 ok");
  EXPECT_EQ(leaving.Submit(f.jobs[0]), kQueued);
}

TEST(EngineQueueStop, Drain_WaitsForAllThenRefuses) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 2, .backlog = 2});
  for (size_t i = 0; i < 4; ++i) client.Submit(f.jobs[i]);
  std::thread finisher([&] {
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(milliseconds(2));
      f.target.Finish(0);
    }
  });
  EXPECT_TRUE(f.queue.Stop(StopMode::kDrain, Now() + seconds(60)));
  finisher.join();
  EXPECT_EQ(client.Submit(f.jobs[5]), kShutdown);
  EXPECT_EQ(client.Deliver(), 4U);
  EXPECT_EQ(client.TakeLog(), "started 3, done 0 ok, done 1 ok, done 2 ok, done 3 ok");
}

TEST(EngineQueueStop, DrainOfADeadTarget_AbortsAtTheDeadline) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1, .backlog = 1});
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  const auto start = Now();
  EXPECT_FALSE(f.queue.Stop(StopMode::kDrain, start + milliseconds(30)));
  EXPECT_GE(Now() - start, milliseconds(30));
  EXPECT_LT(Now() - start, seconds(10));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "started 2, done 1 canceled, done 2 canceled, done 0 canceled");
}

TEST(EngineQueueStop, AbortOfATargetThatAcknowledges_AtOnce) {
  QueueFixture f({.in_flight = 2});
  f.target.acknowledges_aborts = true;
  FakeClient client(f.queue, {.queue = 3});
  for (size_t i = 0; i < 3; ++i) client.Submit(f.jobs[i]);
  EXPECT_TRUE(f.queue.Stop(StopMode::kAbort, Now() + seconds(60)));
  EXPECT_EQ(client.Deliver(), 3U);
  EXPECT_EQ(f.queue.stats().canceled, 3U);
}

TEST(EngineQueueStop, WhileAPinIsHeld_WaitsForUnpin) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 1});
  client.Submit(f.jobs[0]);
  ASSERT_NE(f.queue.Pin(f.target.held[0].ticket), nullptr);
  std::atomic<bool> is_unpinned = false;
  std::thread target([&] {
    std::this_thread::sleep_for(milliseconds(20));
    is_unpinned = true;
    f.queue.Unpin(f.target.held[0].ticket);
  });
  f.queue.Stop(StopMode::kAbort, Now());
  EXPECT_TRUE(is_unpinned);
  target.join();
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 0 canceled");
}

TEST(EngineQueueReset, TargetForgets_NewEpochStaleFinishesIgnored) {
  QueueFixture f({.in_flight = 1});
  f.target.can_reset = true;
  FakeClient client(f.queue, {.queue = 2});
  client.Submit(f.jobs[0]);
  client.Submit(f.jobs[1]);
  const Ticket old = f.target.held[0].ticket;
  EXPECT_TRUE(f.queue.Reset(Now()));
  client.Deliver();
  EXPECT_EQ(client.TakeLog(), "done 1 canceled, done 0 canceled");
  EXPECT_EQ(client.Submit(f.jobs[0]), kQueued);
  f.queue.Finish(old, Status::kOk);
  EXPECT_EQ(client.Deliver(), 0U);
  EXPECT_EQ(f.queue.stats().stale_finishes, 1U);
  f.target.Finish(0);
  EXPECT_EQ(client.Deliver(), 1U);
}

TEST(EngineQueueReset, TargetHoldsOn_StaysShutUntilItAcknowledges) {
  QueueFixture f({.in_flight = 1});
  FakeClient client(f.queue, {.queue = 2});
  client.Submit(f.jobs[0]);
  EXPECT_FALSE(f.queue.Reset(Now()));
  EXPECT_EQ(client.Submit(f.jobs[1]), kShutdown);
  f.target.Finish(0);
  EXPECT_TRUE(f.queue.Reset(Now()));
  EXPECT_EQ(client.Submit(f.jobs[1]), kQueued);
}

}  // namespace
}  // namespace sealane::crypto
