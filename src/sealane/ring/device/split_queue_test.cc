// SPDX-License-Identifier: Apache-2.0
//
// Indices, placement and memory tables of the device's ring. Notifications are in
// split_queue_notify_test.cc, bad chains in descriptor_chain_reject_test.cc.
#include "sealane/ring/device/split_queue.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "sealane/testing/fake_driver_queue.h"

namespace sealane::ring::device {
namespace {

using mem::FrontendAddr;
using mem::GuestAddr;
using testing::FakeDriverQueue;
using testing::GuestFixture;
using Bytes = std::vector<uint8_t>;
using UsedElem = FakeDriverQueue::UsedElem;

// `count` chain objects and the pointers that Pop wants.
class ChainPool {
 public:
  explicit ChainPool(size_t count) : chains_(count) {
    for (DescriptorChain& chain : chains_) pointers_.push_back(&chain);
  }
  std::span<DescriptorChain* const> all() const { return pointers_; }
  DescriptorChain& operator[](size_t i) { return chains_[i]; }

 private:
  std::vector<DescriptorChain> chains_;
  std::vector<DescriptorChain*> pointers_;
};

SplitQueue MakeQueue(const GuestFixture& guest, const FakeDriverQueue& driver,
                     EventMode mode = EventMode::kFlags) {
  auto queue = SplitQueue::Create(guest.memory(), {.size = driver.size(),
                                                   .location = driver.location(),
                                                   .event_mode = mode,
                                                   .next_avail = driver.next_avail()});
  EXPECT_TRUE(queue.has_value());
  return std::move(*queue);
}

// Makes every descriptor a chain of its own: one writable byte in `buffer`.
void FillWithOneByteChains(FakeDriverQueue& driver, GuestAddr buffer) {
  for (uint32_t i = 0; i < driver.size(); ++i) {
    driver.SetDesc(i, GuestAddr{Raw(buffer) + i}, 1, wire::VRING_DESC_F_WRITE);
  }
}

class SplitQueueSizeTest : public ::testing::TestWithParam<uint32_t> {};

// Begins just before the indices wrap around, and goes on for more than one turn of them.
TEST_P(SplitQueueSizeTest, PopComplete_IndicesWrap_EveryHeadComesBackOnce) {
  const uint32_t size = GetParam();
  GuestFixture guest;
  FakeDriverQueue driver(guest, size, 65530);
  FillWithOneByteChains(driver, guest.Allocate(size, 1));
  SplitQueue queue = MakeQueue(guest, driver);
  ChainPool chains(size);
  std::minstd_rand random(1);
  std::vector<UsedElem> expected;
  std::vector<Completion> done;
  for (uint32_t served = 0; served < 70000;) {
    const auto burst = static_cast<uint32_t>(1 + random() % size);
    expected.clear();
    for (uint32_t i = 0; i < burst; ++i) {
      const auto head = static_cast<uint16_t>((served + i) % size);
      driver.Offer(head);
      expected.push_back({head, i});
    }
    driver.Publish();
    ASSERT_EQ(queue.Pop(chains.all()), burst);
    done.clear();
    for (uint32_t i = 0; i < burst; ++i) {
      ASSERT_FALSE(chains[i].bad());
      done.push_back({chains[i].head(), i});
    }
    queue.Complete(done);
    ASSERT_EQ(driver.TakeUsed(), expected);
    ASSERT_EQ(queue.Pop(chains.all()), 0U);
    served += burst;
  }
  EXPECT_FALSE(queue.broken());
  EXPECT_EQ(queue.next_avail(), driver.next_avail());
  EXPECT_EQ(driver.used_idx(), driver.next_avail());
}

INSTANTIATE_TEST_SUITE_P(Sizes, SplitQueueSizeTest, ::testing::Values(1, 2, 256, 32768));

class SplitQueueTest : public ::testing::Test {
 protected:
  static constexpr uint16_t kSize = 8;

  SplitQueueTest() { FillWithOneByteChains(driver_, guest_.Allocate(kSize, 1)); }

  void Offer(std::initializer_list<uint16_t> heads) {
    for (const uint16_t head : heads) driver_.Offer(head);
    driver_.Publish();
  }
  std::vector<uint16_t> PopHeads(SplitQueue& queue, size_t max = kSize) {
    const size_t n = queue.Pop(chains_.all().first(max));
    std::vector<uint16_t> heads;
    for (size_t i = 0; i < n; ++i) heads.push_back(chains_[i].head());
    return heads;
  }
  Result<SplitQueue> CreateAt(const RingLocation& location) const {
    return SplitQueue::Create(guest_.memory(), {.size = kSize, .location = location});
  }

  GuestFixture guest_;
  FakeDriverQueue driver_{guest_, kSize};
  ChainPool chains_{2 * kSize};
};

using Heads = std::vector<uint16_t>;

TEST_F(SplitQueueTest, Create_BadSize_IsRefused) {
  for (const uint32_t size : {0U, 3U, 6U, 32767U, 65536U, 1U << 31}) {
    const auto queue =
        SplitQueue::Create(guest_.memory(), {.size = size, .location = driver_.location()});
    EXPECT_FALSE(queue.has_value()) << size;
  }
}

TEST_F(SplitQueueTest, Pop_NothingPublished_GivesNothing) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  driver_.Offer(3);
  EXPECT_EQ(PopHeads(queue), Heads{});
  driver_.Publish();
  EXPECT_EQ(PopHeads(queue), Heads{3});
}

TEST_F(SplitQueueTest, Pop_FewerObjectsThanChains_LeavesTheRest) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({4, 1, 7, 0});
  EXPECT_EQ(PopHeads(queue, 0), Heads{});
  EXPECT_EQ(PopHeads(queue, 3), (Heads{4, 1, 7}));
  EXPECT_EQ(queue.next_avail(), 3);
  EXPECT_EQ(PopHeads(queue, 3), Heads{0});
}

TEST_F(SplitQueueTest, Create_NextAvailGiven_GoesOnFromThere) {
  Offer({4, 1, 7, 0});
  auto queue = SplitQueue::Create(guest_.memory(),
                                  {.size = kSize, .location = driver_.location(), .next_avail = 2});
  ASSERT_TRUE(queue.has_value());
  EXPECT_EQ(PopHeads(*queue), (Heads{7, 0}));
}

TEST_F(SplitQueueTest, Create_UsedRingInUse_ContinuesFromItsIndex) {
  driver_.SetUsedIdx(65535);
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({5, 6});
  ASSERT_EQ(PopHeads(queue).size(), 2U);
  queue.Complete(std::vector<Completion>{{5, 10}, {6, 11}});
  EXPECT_EQ(driver_.used_idx(), 1);
  EXPECT_EQ(driver_.TakeUsed(), (std::vector<UsedElem>{{5, 10}, {6, 11}}));
}

TEST_F(SplitQueueTest, Complete_OutOfOrder_UsedRingFollowsTheCompletions) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({5, 3, 7, 1});
  ASSERT_EQ(PopHeads(queue).size(), 4U);
  queue.Complete(std::vector<Completion>{{1, 17}});
  queue.Complete(std::vector<Completion>{{7, 0xffffffff}, {5, 0}, {3, 1}});
  EXPECT_EQ(driver_.TakeUsed(), (std::vector<UsedElem>{{1, 17}, {7, 0xffffffff}, {5, 0}, {3, 1}}));
}

TEST_F(SplitQueueTest, Complete_Nothing_PublishesNothing) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  queue.Complete({});
  EXPECT_EQ(driver_.used_idx(), 0);
  EXPECT_FALSE(queue.NeedsNotify());
}

TEST_F(SplitQueueTest, Pop_IndexJumpsByTheSize_IsFine) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(PopHeads(queue), (Heads{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(queue.broken());
}

TEST_F(SplitQueueTest, Pop_IndexJumpsBeyondTheSize_IsBrokenForEver) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  driver_.PublishIdx(kSize + 1);
  EXPECT_EQ(PopHeads(queue), Heads{});
  EXPECT_TRUE(queue.broken());
  Offer({0});
  EXPECT_EQ(PopHeads(queue), Heads{});
}

TEST_F(SplitQueueTest, Pop_IndexGoesBack_IsBroken) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  driver_.PublishIdx(65535);
  EXPECT_EQ(PopHeads(queue), Heads{});
  EXPECT_TRUE(queue.broken());
}

TEST_F(SplitQueueTest, Pop_NoObjectsAndIndexJumps_IsBroken) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  driver_.PublishIdx(kSize + 1);
  EXPECT_EQ(PopHeads(queue, 0), Heads{});
  EXPECT_TRUE(queue.broken());
}

TEST_F(SplitQueueTest, Pop_HeadIsTheSize_IsBrokenBehindTheGoodOnes) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({2, kSize, 3});
  EXPECT_EQ(PopHeads(queue), Heads{2});
  EXPECT_TRUE(queue.broken());
  EXPECT_EQ(PopHeads(queue), Heads{});
}

TEST_F(SplitQueueTest, Pop_HeadIs65535_IsBroken) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({65535});
  EXPECT_EQ(PopHeads(queue), Heads{});
  EXPECT_TRUE(queue.broken());
}

TEST_F(SplitQueueTest, Broken_EveryCall_LeavesTheRingAlone) {
  SplitQueue queue = MakeQueue(guest_, driver_, EventMode::kUnknown);
  Offer({2, kSize});
  ASSERT_EQ(PopHeads(queue), Heads{2});
  const size_t used_size = wire::UsedRingSize(kSize);
  const Bytes before = guest_.Read(driver_.addresses().used, used_size);
  queue.Complete(std::vector<Completion>{{2, 1}});
  EXPECT_FALSE(queue.NeedsNotify());
  EXPECT_FALSE(queue.EnableKicks());
  queue.DisableKicks();
  EXPECT_EQ(guest_.Read(driver_.addresses().used, used_size), before);
}

TEST_F(SplitQueueTest, Create_MisalignedPart_IsRefused) {
  const auto good = driver_.addresses();
  auto at = good;
  at.desc = GuestAddr{Raw(good.desc) + 8};
  EXPECT_FALSE(CreateAt(at).has_value());
  at = good;
  at.avail = GuestAddr{Raw(good.avail) + 1};
  EXPECT_FALSE(CreateAt(at).has_value());
  at = good;
  at.used = GuestAddr{Raw(good.used) + 2};
  EXPECT_FALSE(CreateAt(at).has_value());
  at.used = GuestAddr{Raw(good.used) + 4};
  EXPECT_TRUE(CreateAt(at).has_value());
}

// A region that was mapped at an odd place of its file: right for the driver, useless for us.
TEST_F(SplitQueueTest, Create_PartMisalignedByItsRegion_IsRefused) {
  const UniqueFd fd(::memfd_create("odd_region", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(fd.get(), 8192), 0);
  for (const uint64_t offset : {0U, 8U, 16U}) {
    auto mapping = mem::Mapping::FromFd(fd.get(), offset, 4096);
    ASSERT_TRUE(mapping.has_value());
    auto memory = mem::GuestMemory::Create(
        {{.guest_addr = GuestAddr{0},
          .mapping = std::make_shared<const mem::Mapping>(std::move(*mapping))}});
    const RingAddresses<GuestAddr> at{GuestAddr{0}, GuestAddr{1024}, GuestAddr{2048}};
    const auto queue = SplitQueue::Create(memory.value(), {.size = kSize, .location = at});
    EXPECT_EQ(queue.has_value(), offset % 16 == 0) << offset;
  }
}

// The other way round: the driver broke the rule, and only our mapping happens to be aligned.
TEST_F(SplitQueueTest, Create_PartAlignedByItsRegionOnly_IsRefused) {
  auto region = guest_.memory()->regions()[0];
  region.guest_addr = GuestAddr{8};
  auto memory = mem::GuestMemory::Create({region});
  ASSERT_TRUE(memory.has_value());
  const RingAddresses<GuestAddr> at{GuestAddr{8}, GuestAddr{1032}, GuestAddr{2056}};
  EXPECT_FALSE(SplitQueue::Create(*memory, {.size = kSize, .location = at}).has_value());
}

TEST_F(SplitQueueTest, Create_PartOutsideMemory_IsRefused) {
  const auto good = driver_.addresses();
  for (const GuestAddr nowhere : {guest_.end(), GuestAddr{0}, GuestAddr{~uint64_t{15}}}) {
    auto at = good;
    at.desc = nowhere;
    EXPECT_FALSE(CreateAt(at).has_value());
    at = good;
    at.avail = nowhere;
    EXPECT_FALSE(CreateAt(at).has_value());
    at = good;
    at.used = nowhere;
    EXPECT_FALSE(CreateAt(at).has_value());
  }
}

TEST_F(SplitQueueTest, Create_PartAcrossTheRegionBoundary_IsRefused) {
  const auto good = driver_.addresses();
  const GuestAddr across{Raw(guest_.boundary()) - 16};
  auto at = good;
  at.desc = across;
  EXPECT_FALSE(CreateAt(at).has_value());
  at = good;
  at.avail = across;
  EXPECT_FALSE(CreateAt(at).has_value());
  at = good;
  at.used = across;
  EXPECT_FALSE(CreateAt(at).has_value());
}

// The event field behind the entries belongs to the part.
TEST_F(SplitQueueTest, Create_PartAtTheEndOfARegion_CountsTheEventField) {
  auto at = driver_.addresses();
  at.avail = GuestAddr{Raw(guest_.end()) - wire::AvailRingSize(kSize)};
  EXPECT_TRUE(CreateAt(at).has_value());
  at.avail = GuestAddr{Raw(at.avail) + 2};
  EXPECT_FALSE(CreateAt(at).has_value());
}

TEST_F(SplitQueueTest, Create_FrontendAddresses_ReachTheSameRing) {
  auto queue = CreateAt(driver_.frontend_location());
  ASSERT_TRUE(queue.has_value());
  Offer({6});
  EXPECT_EQ(PopHeads(*queue), Heads{6});
  EXPECT_FALSE(chains_[0].bad());  // descriptors are in guest addresses all the same
  queue->Complete(std::vector<Completion>{{6, 1}});
  EXPECT_EQ(driver_.TakeUsed(), (std::vector<UsedElem>{{6, 1}}));
}

TEST_F(SplitQueueTest, Create_OneKindOfAddressTakenForTheOther_IsRefused) {
  const auto good = driver_.addresses();
  EXPECT_FALSE(CreateAt(RingAddresses<FrontendAddr>{FrontendAddr{Raw(good.desc)},
                                                    FrontendAddr{Raw(good.avail)},
                                                    FrontendAddr{Raw(good.used)}})
                   .has_value());
}

TEST_F(SplitQueueTest, SetMemory_MappedAgain_GoesOnAndLetsTheOldTableGo) {
  auto first = guest_.MapAgain();
  const std::weak_ptr<const mem::GuestMemory> old = first;
  auto queue = SplitQueue::Create(std::move(first),
                                  {.size = kSize, .location = driver_.frontend_location()});
  ASSERT_TRUE(queue.has_value());
  Offer({1, 2});
  ASSERT_EQ(PopHeads(*queue), (Heads{1, 2}));
  queue->Complete(std::vector<Completion>{{1, 1}, {2, 2}});

  ASSERT_TRUE(queue->SetMemory(guest_.MapAgain()).has_value());
  EXPECT_TRUE(old.expired());
  Offer({3});
  ASSERT_EQ(PopHeads(*queue), Heads{3});
  ASSERT_TRUE(chains_[0].WriteLastByte(0));
  queue->Complete(std::vector<Completion>{{3, 3}});
  EXPECT_EQ(driver_.TakeUsed(), (std::vector<UsedElem>{{1, 1}, {2, 2}, {3, 3}}));
}

TEST_F(SplitQueueTest, SetMemory_TableLacksTheRing_IsBroken) {
  SplitQueue queue = MakeQueue(guest_, driver_);
  Offer({1});
  auto without = mem::GuestMemory::Create({guest_.memory()->regions()[1]});
  ASSERT_TRUE(without.has_value());
  EXPECT_FALSE(queue.SetMemory(*without).has_value());
  EXPECT_TRUE(queue.broken());
  EXPECT_EQ(PopHeads(queue), Heads{});
  // Not even a table that has it again helps: what happened meanwhile is unknown.
  EXPECT_TRUE(queue.SetMemory(guest_.memory()).has_value());
  EXPECT_TRUE(queue.broken());
  EXPECT_EQ(PopHeads(queue), Heads{});
}

}  // namespace
}  // namespace sealane::ring::device
