// SPDX-License-Identifier: Apache-2.0
//
// Who must wake whom (virtio 1.3, 2.7.7 and 2.7.10): truth tables of the device's two questions for
// each EventMode. The driver's half is the FakeDriverQueue's, which asks entry by entry instead of
// using the wrap-around formula.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sealane/ring/device/split_queue.h"
#include "sealane/testing/fake_driver_queue.h"

namespace sealane::ring::device {
namespace {

using mem::GuestAddr;
using testing::FakeDriverQueue;
using testing::GuestFixture;

constexpr uint16_t kSize = 16;

// A driver and a device whose indices all begin at `start`.
class Pair {
 public:
  Pair(EventMode mode, uint16_t start) : driver_(guest_, kSize, start), queue_(Make(mode, start)) {
    const GuestAddr buffer = guest_.Allocate(1);
    for (uint32_t i = 0; i < kSize; ++i) driver_.SetDesc(i, buffer, 1, wire::VRING_DESC_F_WRITE);
  }

  void Publish(uint16_t count) {
    for (uint16_t i = 0; i < count; ++i) driver_.Offer(i);
    driver_.Publish();
  }
  void Serve(uint16_t count) {
    std::vector<DescriptorChain> chains(count);
    std::vector<DescriptorChain*> pointers;
    for (DescriptorChain& chain : chains) pointers.push_back(&chain);
    ASSERT_EQ(queue_.Pop(pointers), count);
    std::vector<Completion> done;
    for (const DescriptorChain& chain : chains) done.push_back({chain.head(), 1});
    queue_.Complete(done);
  }
  void PublishAndServe(uint16_t count) {
    Publish(count);
    Serve(count);
  }
  // The device sees nothing more; the driver shows `count` chains and decides.
  bool KicksFor(uint16_t count, bool event_idx) {
    const uint16_t old_idx = driver_.next_avail();
    Publish(count);
    return driver_.MustKick(event_idx, old_idx);
  }

  FakeDriverQueue& driver() { return driver_; }
  SplitQueue& queue() { return queue_; }

 private:
  SplitQueue Make(EventMode mode, uint16_t start) {
    auto queue = SplitQueue::Create(
        guest_.memory(),
        {.size = kSize, .location = driver_.location(), .event_mode = mode, .next_avail = start});
    EXPECT_TRUE(queue.has_value());
    return std::move(*queue);
  }

  GuestFixture guest_{1 << 16};
  FakeDriverQueue driver_;
  SplitQueue queue_;
};

// Indices at rest, just before the wrap, and across it.
constexpr uint16_t kStarts[] = {0, 1000, 65533, 65535};

struct NotifyRow {
  EventMode mode;
  uint16_t flags;  // avail.flags
  int event;       // used_event, counted from the first of three completions
  bool notify;
};

constexpr EventMode kFlags = EventMode::kFlags;
constexpr EventMode kEventIdx = EventMode::kEventIdx;
constexpr EventMode kUnknown = EventMode::kUnknown;

constexpr NotifyRow kNotifyRows[] = {
    // Flags alone count.
    {kFlags, 0, 0, true},
    {kFlags, 0, 100, true},
    {kFlags, 1, 0, false},
    {kFlags, 1, 100, false},
    {kFlags, 0xfffe, 100, true},
    // Only whether one of the entries 0, 1, 2 is the one that used_event names.
    {kEventIdx, 0, -1, false},
    {kEventIdx, 0, 0, true},
    {kEventIdx, 0, 1, true},
    {kEventIdx, 0, 2, true},
    {kEventIdx, 0, 3, false},
    {kEventIdx, 0, 0x8000, false},
    {kEventIdx, 1, 0, true},
    {kEventIdx, 1, 3, false},
    // Quiet only if both say so.
    {kUnknown, 0, 0, true},
    {kUnknown, 0, 3, true},
    {kUnknown, 0, -1, true},
    {kUnknown, 1, 0, true},
    {kUnknown, 1, 2, true},
    {kUnknown, 1, 3, false},
    {kUnknown, 1, -1, false},
};

TEST(SplitQueueNotify, NeedsNotify_TruthTable_AtEveryStart) {
  for (const NotifyRow& row : kNotifyRows) {
    for (const uint16_t start : kStarts) {
      Pair pair(row.mode, start);
      pair.driver().SetAvailFlags(row.flags);
      pair.driver().SetUsedEvent(static_cast<uint16_t>(start + row.event));
      pair.PublishAndServe(3);
      EXPECT_EQ(pair.queue().NeedsNotify(), row.notify)
          << "mode " << int{static_cast<uint8_t>(row.mode)} << " flags " << row.flags << " event "
          << row.event << " start " << start;
    }
  }
}

TEST(SplitQueueNotify, NeedsNotify_AskedTwice_SecondAnswerIsNo) {
  for (const EventMode mode : {kFlags, kEventIdx, kUnknown}) {
    Pair pair(mode, 7);
    pair.driver().SetUsedEvent(7);
    EXPECT_FALSE(pair.queue().NeedsNotify());
    pair.PublishAndServe(1);
    EXPECT_TRUE(pair.queue().NeedsNotify());
    EXPECT_FALSE(pair.queue().NeedsNotify());
  }
}

// Several Complete calls, one question: it covers all of them.
TEST(SplitQueueNotify, NeedsNotify_AfterSeveralCompletes_SeesTheEarlierEvent) {
  Pair pair(kEventIdx, 65534);
  pair.driver().SetUsedEvent(65534);
  for (int i = 0; i < 4; ++i) pair.PublishAndServe(1);
  EXPECT_TRUE(pair.queue().NeedsNotify());
}

TEST(SplitQueueNotify, NeedsNotify_EventPassedLongAgo_StaysQuiet) {
  Pair pair(kEventIdx, 65530);
  pair.driver().SetUsedEvent(65530);
  pair.PublishAndServe(4);
  EXPECT_TRUE(pair.queue().NeedsNotify());
  for (int i = 0; i < 10; ++i) {
    pair.PublishAndServe(3);
    EXPECT_FALSE(pair.queue().NeedsNotify());
  }
}

TEST(SplitQueueNotify, EnableKicks_MoreIsAvailable_SaysSo) {
  for (const EventMode mode : {kFlags, kEventIdx, kUnknown}) {
    for (const uint16_t start : kStarts) {
      Pair pair(mode, start);
      EXPECT_FALSE(pair.queue().EnableKicks());
      pair.Publish(3);
      EXPECT_TRUE(pair.queue().EnableKicks());
      pair.Serve(2);
      EXPECT_TRUE(pair.queue().EnableKicks());
      pair.Serve(1);
      EXPECT_FALSE(pair.queue().EnableKicks());
    }
  }
}

TEST(SplitQueueNotify, KickFields_EachMode_WritesItsOwnOnly) {
  Pair flags(kFlags, 40);
  flags.queue().DisableKicks();
  EXPECT_EQ(flags.driver().used_flags(), wire::VRING_USED_F_NO_NOTIFY);
  EXPECT_EQ(flags.driver().avail_event(), 0);
  flags.queue().EnableKicks();
  EXPECT_EQ(flags.driver().used_flags(), 0);
  EXPECT_EQ(flags.driver().avail_event(), 0);

  Pair event(kEventIdx, 40);
  event.queue().DisableKicks();
  EXPECT_EQ(event.driver().used_flags(), 0);
  event.queue().EnableKicks();
  EXPECT_EQ(event.driver().used_flags(), 0);
  EXPECT_EQ(event.driver().avail_event(), 40);

  Pair both(kUnknown, 40);
  both.queue().DisableKicks();
  EXPECT_EQ(both.driver().used_flags(), wire::VRING_USED_F_NO_NOTIFY);
  both.queue().EnableKicks();
  EXPECT_EQ(both.driver().used_flags(), 0);
  EXPECT_EQ(both.driver().avail_event(), 40);
}

// What the driver negotiated, and what the device knows of it.
struct Negotiation {
  EventMode mode;
  bool driver_event_idx;
};

constexpr Negotiation kNegotiations[] = {
    {kFlags, false}, {kEventIdx, true}, {kUnknown, false}, {kUnknown, true}};

TEST(SplitQueueNotify, EnableKicks_DriverShowsOneChain_Kicks) {
  for (const auto& [mode, event_idx] : kNegotiations) {
    for (const uint16_t start : kStarts) {
      Pair pair(mode, start);
      pair.PublishAndServe(3);
      pair.queue().DisableKicks();
      EXPECT_FALSE(pair.queue().EnableKicks());
      EXPECT_TRUE(pair.KicksFor(1, event_idx));
      // With EVENT_IDX one kick is enough until the device asks again.
      EXPECT_EQ(pair.KicksFor(1, event_idx), !event_idx);
    }
  }
}

TEST(SplitQueueNotify, EnableKicks_DriverShowsABatch_Kicks) {
  for (const auto& [mode, event_idx] : kNegotiations) {
    for (const uint16_t start : kStarts) {
      Pair pair(mode, start);
      EXPECT_FALSE(pair.queue().EnableKicks());
      EXPECT_TRUE(pair.KicksFor(kSize, event_idx));
    }
  }
}

TEST(SplitQueueNotify, DisableKicks_DriverShowsManyChains_DoesNotKick) {
  for (const auto& [mode, event_idx] : kNegotiations) {
    for (const uint16_t start : kStarts) {
      Pair pair(mode, start);
      pair.PublishAndServe(2);
      EXPECT_FALSE(pair.queue().EnableKicks());
      pair.queue().DisableKicks();
      for (int round = 0; round < 100; ++round) {
        EXPECT_FALSE(pair.KicksFor(5, event_idx));
        EXPECT_FALSE(pair.KicksFor(1, event_idx));
        pair.Serve(6);
      }
    }
  }
}

// A driver that has shown chains but not decided yet when the device popped them: a kick too many
// is allowed, one too few at the next EnableKicks is not.
TEST(SplitQueueNotify, DisableThenEnable_AfterPopping_NextChainKicks) {
  for (const auto& [mode, event_idx] : kNegotiations) {
    for (const uint16_t start : kStarts) {
      Pair pair(mode, start);
      for (int round = 0; round < 50; ++round) {
        pair.queue().DisableKicks();
        pair.PublishAndServe(3);
        ASSERT_FALSE(pair.queue().EnableKicks());
        ASSERT_TRUE(pair.KicksFor(2, event_idx));
        pair.Serve(2);
      }
    }
  }
}

// The device never asked for silence and never armed: a ring as the driver made it, all zero.
TEST(SplitQueueNotify, FreshRing_FirstChain_Kicks) {
  for (const auto& [mode, event_idx] : kNegotiations) {
    Pair pair(mode, 0);
    EXPECT_TRUE(pair.KicksFor(1, event_idx));
  }
}

}  // namespace
}  // namespace sealane::ring::device
