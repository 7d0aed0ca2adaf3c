// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/driver/split_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "sealane/mem/shared_access.h"

namespace sealane::ring::driver {
namespace {

using mem::GuestAddr;
using mem::GuestRange;

constexpr auto kSeqCst = std::memory_order_seq_cst;

// A queue, its memory, and a device that does exactly what the test says.
class Ring {
 public:
  Ring(uint32_t size, bool event_idx) : size_(size), memory_(LayoutFor(size).total / 64) {
    const SplitLayout layout = LayoutFor(size);
    const GuestRange all(memory_.front().bytes.data(), layout.total);
    desc_ = all.Sub(layout.desc, wire::DescTableSize(size));
    avail_ = all.Sub(layout.avail, wire::AvailRingSize(size));
    used_ = all.Sub(layout.used, wire::UsedRingSize(size));
    auto created = SplitQueue::Create(size, {desc_, avail_, used_}, event_idx);
    EXPECT_TRUE(created.has_value());
    queue_.emplace(std::move(*created));
  }

  SplitQueue& queue() { return *queue_; }

  std::optional<uint16_t> NextHead() {
    const uint16_t idx = Load(avail_, wire::kRingIdxOffset);
    if (idx == seen_avail_) return std::nullopt;
    return Load(avail_, wire::AvailEntryOffset(seen_avail_++ % size_));
  }
  wire::vring_desc Desc(size_t i) const {
    return desc_.Read<wire::vring_desc>(i * sizeof(wire::vring_desc));
  }
  void ScribbleOverDescriptors() {
    const std::vector<uint8_t> noise(desc_.size(), 0xee);
    desc_.CopyFrom(0, noise);
  }
  void Use(uint32_t id, uint32_t len) {
    const std::array<Le32, 2> entry{Le32(id), Le32(len)};
    used_.CopyFrom(wire::UsedEntryOffset(used_idx_ % size_),
                   std::bit_cast<std::array<uint8_t, 8>>(entry));
    SetUsedIdx(static_cast<uint16_t>(used_idx_ + 1));
  }
  void SetUsedIdx(uint16_t idx) {
    used_idx_ = idx;
    Store(used_, wire::kRingIdxOffset, idx);
  }
  void SetUsedFlags(uint16_t flags) { Store(used_, wire::kRingFlagsOffset, flags); }
  void SetAvailEvent(uint16_t idx) { Store(used_, wire::AvailEventOffset(size_), idx); }
  uint16_t AvailFlags() const { return Load(avail_, wire::kRingFlagsOffset); }
  uint16_t UsedEvent() const { return Load(avail_, wire::UsedEventOffset(size_)); }

  std::vector<Used> PollAll() {
    std::vector<Used> done(size_ + 1);
    done.resize(queue_->Poll(done));
    return done;
  }

 private:
  struct alignas(64) Line {
    std::array<uint8_t, 64> bytes{};
  };
  static uint16_t Load(const GuestRange& part, size_t offset) {
    return mem::Load16(mem::RawData(part) + offset, kSeqCst);
  }
  static void Store(const GuestRange& part, size_t offset, uint16_t value) {
    mem::Store16(mem::RawData(part) + offset, value, kSeqCst);
  }

  uint32_t size_;
  std::vector<Line> memory_;
  GuestRange desc_, avail_, used_;
  std::optional<SplitQueue> queue_;
  uint16_t seen_avail_ = 0;
  uint16_t used_idx_ = 0;
};

Buffer At(uint64_t addr, uint32_t len) { return Buffer{GuestAddr{addr}, len}; }

std::optional<uint16_t> AddOne(SplitQueue& queue, uint32_t writable_len = 1) {
  const Buffer buffer = At(0x1000, writable_len);
  return queue.Add({}, std::span(&buffer, 1));
}

TEST(SplitQueue, Create_BadSizes_Refused) {
  std::vector<uint8_t> bytes(1024);
  const GuestRange range(bytes.data(), bytes.size());
  for (const uint32_t size : {0U, 3U, 65536U}) {
    EXPECT_FALSE(SplitQueue::Create(size, {range, range, range}, false).has_value()) << size;
  }
}

TEST(SplitQueue, Create_ShortOrMisalignedMemory_Refused) {
  alignas(64) std::array<uint8_t, 1024> bytes{};
  const GuestRange all(bytes.data(), bytes.size());
  const SplitQueueMemory good{all.Sub(0, 64), all.Sub(64, 14), all.Sub(128, 38)};
  EXPECT_TRUE(SplitQueue::Create(4, good, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {all.Sub(0, 63), good.avail, good.used}, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {good.desc, all.Sub(64, 13), good.used}, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {good.desc, good.avail, all.Sub(128, 37)}, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {all.Sub(8, 64), good.avail, good.used}, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {good.desc, all.Sub(65, 14), good.used}, false).has_value());
  EXPECT_FALSE(SplitQueue::Create(4, {good.desc, good.avail, all.Sub(130, 38)}, false).has_value());
}

TEST(SplitQueue, Layout_EverySize_PartsAlignedAndApart) {
  for (uint32_t size = 1; size <= wire::kMaxQueueSize; size *= 2) {
    const SplitLayout layout = LayoutFor(size);
    EXPECT_GE(layout.avail, layout.desc + wire::DescTableSize(size));
    EXPECT_EQ((layout.avail + wire::kRingEntriesOffset) % 64, 0U);
    EXPECT_GE(layout.used / 64, (layout.avail + wire::AvailRingSize(size) + 63) / 64);
    EXPECT_EQ((layout.used + wire::kRingEntriesOffset) % 64, 0U);
    EXPECT_GE(layout.total, layout.used + wire::UsedRingSize(size));
  }
}

TEST(SplitQueue, Add_DirectChain_DescriptorsAsSpecified) {
  Ring ring(8, false);
  const std::array readable{At(0x1000, 72), At(0x2000, 16)};
  const std::array writable{At(0x3000, 256), At(0x4000, 1)};
  const auto head = ring.queue().Add(readable, writable);
  ASSERT_TRUE(head.has_value());
  EXPECT_FALSE(ring.NextHead().has_value()) << "visible before Publish";
  ring.queue().Publish();
  ASSERT_EQ(ring.NextHead(), head);

  uint16_t at = *head;
  for (size_t i = 0; i < 4; ++i) {
    const Buffer& want = i < 2 ? readable[i] : writable[i - 2];
    const auto desc = ring.Desc(at);
    EXPECT_EQ(desc.addr.get(), Raw(want.addr));
    EXPECT_EQ(desc.len.get(), want.len);
    const int flags =
        (i < 3 ? wire::VRING_DESC_F_NEXT : 0) | (i >= 2 ? wire::VRING_DESC_F_WRITE : 0);
    EXPECT_EQ(desc.flags.get(), flags);
    at = desc.next.get();
  }
  EXPECT_EQ(ring.queue().num_free(), 4U);
  ring.Use(*head, 257);
  const auto done = ring.PollAll();
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].head, *head);
  EXPECT_EQ(done[0].len, 257U);
  EXPECT_EQ(ring.queue().num_free(), 8U);
}

TEST(SplitQueue, AddIndirect_Descriptor_NamesTable) {
  Ring ring(4, false);
  const auto head = ring.queue().AddIndirect(GuestAddr{0x8000}, 5, 257);
  ASSERT_TRUE(head.has_value());
  const auto desc = ring.Desc(*head);
  EXPECT_EQ(desc.addr.get(), 0x8000U);
  EXPECT_EQ(desc.len.get(), 80U);
  EXPECT_EQ(desc.flags.get(), wire::VRING_DESC_F_INDIRECT);
}

TEST(SplitQueue, Add_Full_NothingUntilReturned) {
  Ring ring(4, false);
  const std::array three{At(0x1000, 1), At(0x2000, 1), At(0x3000, 1)};
  const auto first = ring.queue().Add(three, {});
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(ring.queue().Add(std::span(three).first(2), {}).has_value());
  ASSERT_TRUE(AddOne(ring.queue()).has_value());
  EXPECT_FALSE(AddOne(ring.queue()).has_value());
  ring.queue().Publish();
  ring.Use(*first, 0);
  EXPECT_EQ(ring.PollAll().size(), 1U);
  EXPECT_TRUE(ring.queue().Add(three, {}).has_value());
}

// Every size, in and out of order, past the 16-bit wrap of the indices.
class SplitQueueSizes : public testing::TestWithParam<std::tuple<uint32_t, bool>> {};

TEST_P(SplitQueueSizes, Traffic_PastIndexWrap_EachChainBackOnce) {
  const auto [size, event_idx] = GetParam();
  Ring ring(size, event_idx);
  std::deque<std::pair<uint16_t, uint32_t>> with_device;
  uint32_t sent = 0;
  uint32_t received = 0;
  constexpr uint32_t kTotal = 140000;
  while (received < kTotal) {
    while (sent < kTotal) {
      const auto head = sent % 3 == 0 ? ring.queue().AddIndirect(GuestAddr{sent}, 3, sent)
                                      : AddOne(ring.queue(), sent);
      if (!head) break;
      with_device.emplace_back(*head, sent);
      ++sent;
    }
    ring.queue().Publish();
    for (auto& [head, number] : with_device) EXPECT_EQ(ring.NextHead(), head);
    std::ranges::reverse(with_device);
    for (auto& [head, number] : with_device) ring.Use(head, number);
    for (const Used& used : ring.PollAll()) {
      ASSERT_EQ(used.head, with_device.front().first);
      ASSERT_EQ(used.len, with_device.front().second);
      with_device.pop_front();
      ++received;
    }
    ASSERT_TRUE(with_device.empty());
    ASSERT_EQ(ring.queue().num_free(), size);
  }
  EXPECT_FALSE(ring.queue().broken());
}

INSTANTIATE_TEST_SUITE_P(, SplitQueueSizes,
                         testing::Combine(testing::Values(1U, 2U, 4U, 64U, 1024U, 32768U),
                                          testing::Bool()));

TEST(SplitQueue, Poll_SmallSpans_NothingLost) {
  Ring ring(8, false);
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(AddOne(ring.queue()).has_value());
  ring.queue().Publish();
  while (const auto head = ring.NextHead()) ring.Use(*head, 1);
  std::array<Used, 3> done;
  EXPECT_EQ(ring.queue().Poll(done), 3U);
  EXPECT_EQ(ring.queue().Poll({}), 0U);
  EXPECT_EQ(ring.queue().Poll(done), 3U);
  EXPECT_EQ(ring.queue().Poll(done), 2U);
  EXPECT_EQ(ring.queue().Poll(done), 0U);
}

TEST(SplitQueue, NeedsKick_Flags_AsDeviceAsks) {
  Ring ring(8, false);
  EXPECT_FALSE(ring.queue().NeedsKick()) << "nothing published";
  AddOne(ring.queue());
  ring.queue().Publish();
  EXPECT_TRUE(ring.queue().NeedsKick());
  EXPECT_FALSE(ring.queue().NeedsKick()) << "asked twice for one batch";
  ring.SetUsedFlags(wire::VRING_USED_F_NO_NOTIFY);
  AddOne(ring.queue());
  ring.queue().Publish();
  EXPECT_FALSE(ring.queue().NeedsKick());
}

TEST(SplitQueue, NeedsKick_EventIdx_OnlyWhenPassed) {
  Ring ring(8, true);
  ring.SetUsedFlags(wire::VRING_USED_F_NO_NOTIFY);  // 2.7.10: ignored with EVENT_IDX
  ring.SetAvailEvent(2);
  for (const bool expected : {false, false, true, false}) {
    AddOne(ring.queue());
    ring.queue().Publish();
    EXPECT_EQ(ring.queue().NeedsKick(), expected);
  }
  ring.SetAvailEvent(5);
  for (int i = 0; i < 3; ++i) AddOne(ring.queue());  // a batch that passes the event in its midst
  ring.queue().Publish();
  EXPECT_TRUE(ring.queue().NeedsKick());
}

TEST(SplitQueue, Interrupts_Flags_ArmedAndDisarmed) {
  Ring ring(4, false);
  EXPECT_EQ(ring.AvailFlags(), wire::VRING_AVAIL_F_NO_INTERRUPT);
  EXPECT_TRUE(ring.queue().EnableInterrupts());
  EXPECT_EQ(ring.AvailFlags(), 0);
  ring.queue().DisableInterrupts();
  EXPECT_EQ(ring.AvailFlags(), wire::VRING_AVAIL_F_NO_INTERRUPT);
}

TEST(SplitQueue, Interrupts_EventIdx_EventAtNextEntryAndFlagsZero) {
  Ring ring(4, true);
  EXPECT_EQ(ring.UsedEvent(), 0xffff);
  EXPECT_FALSE(wire::NeedsEvent(ring.UsedEvent(), 1, 0));
  EXPECT_TRUE(ring.queue().EnableInterrupts());
  EXPECT_EQ(ring.UsedEvent(), 0);
  EXPECT_EQ(ring.AvailFlags(), 0);
  ring.queue().DisableInterrupts();
  EXPECT_EQ(ring.AvailFlags(), 0);
}

TEST(SplitQueue, EnableInterrupts_EntryAlreadyThere_SaysSo) {
  for (const bool event_idx : {false, true}) {
    Ring ring(4, event_idx);
    const auto head = AddOne(ring.queue());
    ring.queue().Publish();
    EXPECT_FALSE(ring.queue().HasUsed());
    ring.Use(*head, 1);
    EXPECT_TRUE(ring.queue().HasUsed());
    EXPECT_FALSE(ring.queue().EnableInterrupts());
    EXPECT_EQ(ring.PollAll().size(), 1U);
    EXPECT_TRUE(ring.queue().EnableInterrupts());
  }
}

// A device that lies. Two chains of one descriptor are out, heads 0 and 1, with 16 writable bytes.
class LyingDevice : public testing::Test {
 protected:
  LyingDevice() : ring(4, false) {
    EXPECT_EQ(AddOne(ring.queue(), 16), 0);
    EXPECT_EQ(AddOne(ring.queue(), 16), 1);
    ring.queue().Publish();
  }
  void ExpectBroken() {
    EXPECT_TRUE(ring.queue().broken());
    EXPECT_EQ(ring.queue().error()->code, ErrorCode::kBroken);
    EXPECT_TRUE(ring.PollAll().empty());
    EXPECT_FALSE(AddOne(ring.queue()).has_value());
    EXPECT_FALSE(ring.queue().AddIndirect(GuestAddr{0}, 1, 1).has_value());
  }
  Ring ring;
};

TEST_F(LyingDevice, UsedIndex_BeyondOutstanding_Broken) {
  ring.SetUsedIdx(3);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, UsedIndex_Backwards_Broken) {
  ring.SetUsedIdx(0xffff);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, UsedIndex_CountsUnpublishedChain_Broken) {
  EXPECT_TRUE(AddOne(ring.queue()).has_value());
  ring.SetUsedIdx(3);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Id_BeyondRing_BrokenAfterGoodEntries) {
  ring.Use(1, 16);
  ring.Use(4, 0);
  EXPECT_EQ(ring.PollAll().size(), 1U);
  ExpectBroken();
}

TEST_F(LyingDevice, Id_HighBitsSet_Broken) {
  ring.Use(0x10000, 0);  // 0 in its low 16 bits
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Id_NeverSubmitted_Broken) {
  ring.Use(2, 0);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Id_Duplicate_Broken) {
  ring.Use(0, 16);
  ring.Use(0, 16);
  EXPECT_EQ(ring.PollAll().size(), 1U);
  ExpectBroken();
}

TEST_F(LyingDevice, Id_MiddleOfChain_Broken) {
  const std::array two{At(0x1000, 1), At(0x2000, 1)};
  ASSERT_EQ(ring.queue().Add({}, two), 2);
  ring.queue().Publish();
  ring.Use(3, 0);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Len_BeyondWritable_Broken) {
  ring.Use(0, 17);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Len_AllOnes_Broken) {
  ring.Use(0, 0xffffffff);
  EXPECT_TRUE(ring.PollAll().empty());
  ExpectBroken();
}

TEST_F(LyingDevice, Len_ZeroAndMaximum_Accepted) {
  ring.Use(0, 0);
  ring.Use(1, 16);
  EXPECT_EQ(ring.PollAll().size(), 2U);
  EXPECT_FALSE(ring.queue().broken());
}

TEST_F(LyingDevice, DescriptorTable_Overwritten_FreeListUnharmed) {
  ring.ScribbleOverDescriptors();
  ring.Use(0, 1);
  ring.Use(1, 1);
  EXPECT_EQ(ring.PollAll().size(), 2U);
  const std::array four{At(1, 1), At(2, 1), At(3, 1), At(4, 1)};
  EXPECT_TRUE(ring.queue().Add(four, {}).has_value());
  EXPECT_EQ(ring.queue().num_free(), 0U);
}

}  // namespace
}  // namespace sealane::ring::driver
