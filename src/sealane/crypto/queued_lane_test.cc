// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/queued_lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <thread>

namespace sealane::crypto {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct CountingWaker final : Waker {
  void Wake() override { ++count; }
  int count = 0;
};

// Holds what it is given until the test says so, and makes sessions that it recognises.
class HeldTarget final : public EngineTarget, public QueuedSessions {
 public:
  struct OwnSession final : LaneSession {};

  StartResult Start(EngineJob& job, Ticket ticket) override {
    const auto& lane_job = static_cast<const LaneJob&>(job);
    EXPECT_NE(dynamic_cast<OwnSession*>(lane_job.session), nullptr);
    ops.push_back(lane_job.op);
    tickets.push_back(ticket);
    return {};
  }
  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session>) override {
    if (no_sessions) return Error{ErrorCode::kNoSpace, "none left"};
    return std::make_unique<OwnSession>();
  }
  void FinishOne(Status status = Status::kOk) {
    const Ticket ticket = tickets.front();
    tickets.pop_front();
    queue->Finish(ticket, status);
  }

  EngineQueue* queue = nullptr;
  std::vector<Op*> ops;
  std::deque<Ticket> tickets;
  bool no_sessions = false;
};

// Queue 2, backlog 1, in flight 1.
struct LaneFixture {
  explicit LaneFixture(QueueClock::duration timeout = seconds(60), size_t wake_batch = 1)
      : queue(target, {.in_flight = 1, .dead_after = timeout / 2}),
        watchdog(queue, std::min<QueueClock::duration>(timeout / 10, milliseconds(50))),
        lane_options{.share = {.queue = 2, .backlog = 1, .wake_batch = wake_batch},
                     .in_flight = 1,
                     .timeout = timeout} {
    target.queue = &queue;
    lane = std::move(*QueuedLane::Create(queue, watchdog, target, waker, lane_options));
    session = std::move(*lane->OpenSession(nullptr));
    for (size_t i = 0; i < ops.size(); ++i) {
      ops[i].session = session.get();
      ops[i].status = Status::kNotSupported;
      list[i] = &ops[i];
    }
  }
  // What Poll returns, at most `max` ops.
  std::vector<Op*> Poll(size_t max = 20) {
    std::vector<Op*> done(max);
    done.resize(lane->Poll(done));
    return done;
  }

  HeldTarget target;
  CountingWaker waker;
  EngineQueue queue;
  QueueWatchdog watchdog;
  QueuedLane::Options lane_options;
  std::unique_ptr<LaneSession> session;  // outlives what is in flight, hence the lane
  std::unique_ptr<QueuedLane> lane;
  std::array<Op, 10> ops;
  std::array<Op*, 10> list;
};

TEST(QueuedLane, MoreThanFits_TakesWhatFitsAndGoesOnAfterACompletion) {
  LaneFixture f;
  EXPECT_EQ(f.lane->Submit(f.list), 4U) << "1 in flight, 2 queued, 1 backlogged";
  EXPECT_EQ(f.lane->Submit(std::span(f.list).subspan(4)), 0U);
  EXPECT_EQ(f.lane->in_flight(), 4U);
  EXPECT_TRUE(f.Poll().empty());
  const int num_wakes = f.waker.count;  // the backlogged one of before has moved up
  f.target.FinishOne();
  EXPECT_EQ(f.waker.count, num_wakes + 1);
  EXPECT_EQ(f.Poll(), std::vector<Op*>{&f.ops[0]});
  EXPECT_EQ(f.ops[0].status, Status::kOk);
  EXPECT_EQ(f.lane->Submit(std::span(f.list).subspan(4)), 1U);
}

TEST(QueuedLane, TargetFails_OpHasItsStatus) {
  LaneFixture f;
  f.lane->Submit(std::span(f.list).first(1));
  f.target.FinishOne(Status::kBadMessage);
  EXPECT_EQ(f.Poll().size(), 1U);
  EXPECT_EQ(f.ops[0].status, Status::kBadMessage);
}

TEST(QueuedLane, SeveralFinished_OneWakeAndBoundedPolls) {
  LaneFixture f;
  f.lane->Submit(std::span(f.list).first(3));
  while (!f.target.tickets.empty()) f.target.FinishOne();
  EXPECT_EQ(f.waker.count, 1);
  EXPECT_EQ(f.Poll(2).size(), 2U);
  EXPECT_EQ(f.Poll(2).size(), 1U);
  EXPECT_EQ(f.Poll(2).size(), 0U);
  EXPECT_EQ(f.lane->in_flight(), 0U);
}

TEST(QueuedLane, QueueStopped_OpsComeBackFailedAndTheWakerIsCalled) {
  LaneFixture f;
  f.queue.Stop(StopMode::kAbort, QueueClock::now());
  EXPECT_EQ(f.lane->Submit(f.list), 8U) << "as many as the lane has jobs";
  EXPECT_EQ(f.waker.count, 1);
  EXPECT_EQ(f.Poll(5).size(), 5U);
  EXPECT_EQ(f.Poll(5).size(), 3U);
  EXPECT_EQ(f.lane->Submit(std::span(f.list).subspan(8)), 2U);
  EXPECT_EQ(f.Poll().size(), 2U);
  for (const Op& op : f.ops) EXPECT_EQ(op.status, Status::kError);
}

TEST(QueuedLane, TargetSilent_AllFailAfterTheTimeout) {
  LaneFixture f(milliseconds(50));
  EXPECT_EQ(f.lane->Submit(f.list), 4U);
  const auto end = QueueClock::now() + seconds(30);
  size_t num_done = 0;
  while (num_done < 4 && QueueClock::now() < end) {
    num_done += f.Poll().size();
    std::this_thread::yield();
  }
  EXPECT_EQ(num_done, 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(f.ops[i].status, Status::kError);
  EXPECT_EQ(f.queue.Pin(f.target.tickets.front()), nullptr);
}

TEST(QueuedLane, DestroyedWithEverythingFull_AtOnceAndNothingIsTouchedLater) {
  LaneFixture f;
  f.lane->Submit(f.list);
  f.lane.reset();
  for (const Op& op : f.ops) EXPECT_NE(op.status, Status::kOk);
  f.session.reset();  // nothing names it any more
  while (!f.target.tickets.empty()) f.target.FinishOne();
  EXPECT_EQ(f.queue.stats().late_finishes, 1U);
  f.lane = std::move(*QueuedLane::Create(f.queue, f.watchdog, f.target, f.waker, f.lane_options));
  f.session = std::move(*f.lane->OpenSession(nullptr));
  f.ops[0].session = f.session.get();
  EXPECT_EQ(f.lane->Submit(std::span(f.list).first(1)), 1U) << "its room is free again";
}

TEST(QueuedLane, NoRoomForItOrNoSession_SaysSo) {
  LaneFixture f;
  f.target.no_sessions = true;
  EXPECT_FALSE(f.lane->OpenSession(nullptr).has_value());
  f.lane_options.share.queue = 63;
  EXPECT_FALSE(
      QueuedLane::Create(f.queue, f.watchdog, f.target, f.waker, f.lane_options).has_value());
}

}  // namespace
}  // namespace sealane::crypto
