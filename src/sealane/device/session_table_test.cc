// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/session_table.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace sealane::device {
namespace {

using crypto::Session;
using crypto::Status;

class CountingWaker final : public crypto::Waker {
 public:
  void Wake() override { ++count; }
  int count = 0;
};

std::shared_ptr<const Session> MakeSession() {
  return std::make_shared<const Session>(crypto::SessionInfo{});
}

TEST(SessionTable, Create_OverTheLimit_IsNoSpaceUntilOneCloses) {
  SessionTable table(3);
  std::vector<uint64_t> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(table.Create(MakeSession()).value());
  EXPECT_EQ(table.Create(MakeSession()).error(), Status::kNoSpace);
  EXPECT_TRUE(table.Close(ids[1]));
  EXPECT_TRUE(table.Create(MakeSession()).has_value());
  EXPECT_EQ(table.size(), 3U);
}

TEST(SessionTable, Ids_AreNeverUsedAgain) {
  SessionTable table(2);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t id = table.Create(MakeSession()).value();
    EXPECT_TRUE(seen.insert(id).second);
    EXPECT_NE(id, 0U);
    EXPECT_GE(static_cast<int64_t>(id), 0);
    EXPECT_TRUE(table.Close(id));
    EXPECT_FALSE(table.IsOpen(id));
  }
}

TEST(SessionTable, Close_UnknownOrTwice_IsRefused) {
  SessionTable table(4);
  const uint64_t id = table.Create(MakeSession()).value();
  EXPECT_FALSE(table.Close(0));
  EXPECT_FALSE(table.Close(uint64_t{1} << 63));
  EXPECT_FALSE(table.Close(id + 4));
  EXPECT_TRUE(table.Close(id));
  EXPECT_FALSE(table.Close(id));
}

TEST(SessionTable, Close_AcquiredSession_TellsItsHolderOnly) {
  SessionTable table(4);
  CountingWaker first;
  CountingWaker second;
  const unsigned holder = table.AddHolder(first);
  const unsigned other = table.AddHolder(second);
  const uint64_t kept = table.Create(MakeSession()).value();
  const uint64_t unused = table.Create(MakeSession()).value();
  EXPECT_NE(table.Acquire(kept, holder), nullptr);
  EXPECT_TRUE(table.Close(unused));
  EXPECT_EQ(first.count, 0);
  EXPECT_TRUE(table.Close(kept));
  EXPECT_EQ(first.count, 1);
  EXPECT_EQ(second.count, 0);
  EXPECT_TRUE(table.HasClosed(holder));
  EXPECT_FALSE(table.HasClosed(other));
  std::vector<uint64_t> closed;
  table.TakeClosed(holder, closed);
  EXPECT_EQ(closed, std::vector<uint64_t>{kept});
  EXPECT_FALSE(table.HasClosed(holder));
  EXPECT_EQ(table.Acquire(kept, holder), nullptr);
}

TEST(SessionTable, Close_LastReference_DestroysTheSession) {
  SessionTable table(4);
  std::weak_ptr<const Session> watch;
  uint64_t id = 0;
  {
    auto session = MakeSession();
    watch = session;
    id = table.Create(std::move(session)).value();
  }
  EXPECT_FALSE(watch.expired());
  EXPECT_TRUE(table.Close(id));
  EXPECT_TRUE(watch.expired());
}

TEST(SessionTable, CloseAll_ClosesEverything) {
  SessionTable table(5);
  std::vector<uint64_t> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(table.Create(MakeSession()).value());
  table.CloseAll();
  for (const uint64_t id : ids) EXPECT_FALSE(table.IsOpen(id));
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace sealane::device
