// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/lane_session_cache.h"

#include <gtest/gtest.h>

namespace sealane::device {
namespace {

using crypto::Session;
using crypto::Status;

class NullWaker final : public crypto::Waker {
 public:
  void Wake() override {}
};

// Counts the lane sessions that there are.
class CountedLaneSession final : public crypto::LaneSession {
 public:
  explicit CountedLaneSession(int& alive) : alive_(alive) { ++alive_; }
  ~CountedLaneSession() override { --alive_; }

 private:
  int& alive_;
};

class CountingLane final : public crypto::Lane {
 public:
  Result<std::unique_ptr<crypto::LaneSession>> OpenSession(
      std::shared_ptr<const Session> /*session*/) override {
    ++opened;
    if (exhausted) return Error{ErrorCode::kNoSpace, "no more"};
    return std::make_unique<CountedLaneSession>(alive);
  }
  size_t Submit(std::span<crypto::Op* const> /*ops*/) override { return 0; }
  size_t Poll(std::span<crypto::Op*> /*done*/) override { return 0; }
  void Flush() override {}
  size_t in_flight() const override { return 0; }

  int opened = 0;
  int alive = 0;
  bool exhausted = false;
};

class Cache : public ::testing::Test {
 protected:
  uint64_t Create(std::weak_ptr<const Session>* watch = nullptr) {
    auto session = std::make_shared<const Session>(crypto::SessionInfo{});
    if (watch != nullptr) *watch = session;
    return table.Create(std::move(session)).value();
  }

  SessionTable table{4};
  CountingLane lane;
  NullWaker waker;
  LaneSessionCache cache{table, lane, waker};
};

TEST_F(Cache, Find_OpensOnceAndThenGivesTheSameEntry) {
  const uint64_t id = Create();
  LaneSessionCache::Entry* const entry = cache.Find(id).value();
  EXPECT_EQ(entry->id, id);
  EXPECT_EQ(cache.Find(id).value(), entry);
  EXPECT_EQ(lane.opened, 1);
}

TEST_F(Cache, Find_UnknownOrClosed_IsInvalid) {
  const uint64_t id = Create();
  EXPECT_TRUE(cache.Find(id).has_value());
  EXPECT_EQ(cache.Find(0).error(), Status::kInvalidSession);
  EXPECT_EQ(cache.Find(id + 4).error(), Status::kInvalidSession) << "a later id of the same slot";
  EXPECT_EQ(cache.Find(~uint64_t{0}).error(), Status::kInvalidSession);
  EXPECT_TRUE(table.Close(id));
  EXPECT_EQ(cache.Find(id).error(), Status::kInvalidSession) << "kept, but closed";
}

TEST_F(Cache, Find_LaneOutOfResources_IsAnErrorAndWorksLater) {
  const uint64_t id = Create();
  lane.exhausted = true;
  EXPECT_EQ(cache.Find(id).error(), Status::kError);
  lane.exhausted = false;
  EXPECT_TRUE(cache.Find(id).has_value());
}

TEST_F(Cache, DropClosed_LetsGoOfTheKey_NotBefore) {
  std::weak_ptr<const Session> watch;
  const uint64_t id = Create(&watch);
  EXPECT_TRUE(cache.Find(id).has_value());
  EXPECT_FALSE(cache.has_closed());
  EXPECT_TRUE(table.Close(id));
  EXPECT_TRUE(cache.has_closed());
  EXPECT_FALSE(watch.expired()) << "an op may be in flight";
  EXPECT_EQ(lane.alive, 1);
  cache.DropClosed();
  EXPECT_TRUE(watch.expired());
  EXPECT_EQ(lane.alive, 0);
  EXPECT_FALSE(cache.has_closed());
}

TEST_F(Cache, SlotUsedAgainBeforeDropClosed_TheOldOneStaysUntilThen) {
  std::weak_ptr<const Session> watch;
  const uint64_t old_id = Create(&watch);
  crypto::LaneSession* const in_flight = cache.Find(old_id).value()->lane_session.get();
  EXPECT_TRUE(table.Close(old_id));
  // Slots rest before they are used again: go round once.
  uint64_t new_id = 0;
  while (new_id == 0 || table.SlotOf(new_id) != table.SlotOf(old_id)) {
    if (new_id != 0) table.Close(new_id);
    new_id = Create();
  }
  ASSERT_TRUE(cache.Find(new_id).has_value());
  EXPECT_NE(cache.Find(new_id).value()->lane_session.get(), in_flight);
  EXPECT_EQ(lane.alive, 2);
  EXPECT_FALSE(watch.expired());
  cache.DropClosed();
  EXPECT_EQ(lane.alive, 1);
  EXPECT_TRUE(watch.expired());
  EXPECT_TRUE(cache.Find(new_id).has_value());
  EXPECT_EQ(lane.opened, 2) << "the new one was not dropped with the old one";
}

TEST_F(Cache, ClosedWithoutEverBeingUsed_LeavesNothingToDrop) {
  const uint64_t id = Create();
  EXPECT_TRUE(table.Close(id));
  EXPECT_FALSE(cache.has_closed());
}

}  // namespace
}  // namespace sealane::device
