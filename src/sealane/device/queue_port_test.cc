// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/queue_port.h"

#include <gtest/gtest.h>

#include <array>

#include "sealane/testing/chain_builder.h"
#include "sealane/testing/fake_driver_queue.h"

namespace sealane::device {
namespace {

using testing::ChainBuilder;
using testing::FakeDriverQueue;
using testing::GuestFixture;

class Port : public ::testing::Test {
 protected:
  Result<std::unique_ptr<QueuePort>> Create(bool with_call = true) {
    QueueSetup setup;
    setup.size = queue.size();
    setup.location = queue.location();
    setup.kick = kick.Duplicate().value();
    if (with_call) {
      setup.notifier = std::make_unique<EventFdNotifier>(call.Duplicate().value());
    }
    setup.error = error.Duplicate().value();
    return QueuePort::Create(3, guest.memory(), std::move(setup));
  }
  void Offer(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      ChainBuilder(guest).Writable(1).OfferIndirect(queue, static_cast<uint16_t>(i));
    }
    queue.Publish();
  }
  size_t Pop(QueuePort& port) {
    std::array<ring::DescriptorChain*, kMaxChains> pointers;
    for (size_t i = 0; i < kMaxChains; ++i) pointers[i] = &chains[i];
    return port.Pop(pointers);
  }

  static constexpr size_t kMaxChains = 8;
  GuestFixture guest;
  FakeDriverQueue queue{guest, 16};
  EventFd kick = EventFd::Create().value();
  EventFd call = EventFd::Create().value();
  EventFd error = EventFd::Create().value();
  std::array<ring::DescriptorChain, kMaxChains> chains;
};

TEST_F(Port, FinishedChains_ArePublishedTogetherWithOneInterrupt) {
  const auto port = Create().value();
  Offer(3);
  ASSERT_EQ(Pop(*port), 3U);
  for (size_t i = 0; i < 3; ++i) port->Finish(chains[i].head(), static_cast<uint32_t>(i));
  EXPECT_TRUE(queue.TakeUsed().empty()) << "not before Publish";
  port->Publish();
  EXPECT_EQ(queue.TakeUsed().size(), 3U);
  EXPECT_EQ(port->stats().interrupts, 1U);
  EXPECT_TRUE(call.Drain());
  port->Publish();
  EXPECT_FALSE(call.Drain()) << "there was nothing to publish";
  EXPECT_EQ(port->stats().requests, 3U);
  EXPECT_EQ(port->next_avail(), 3);
  EXPECT_EQ(port->index(), 3U);
}

TEST_F(Port, NoNotifier_CompletesSilently) {
  const auto port = Create(false).value();
  Offer(1);
  ASSERT_EQ(Pop(*port), 1U);
  port->Finish(chains[0].head(), 0);
  port->Publish();
  EXPECT_EQ(queue.TakeUsed().size(), 1U);
  EXPECT_EQ(port->stats().interrupts, 0U);
}

TEST_F(Port, NotifierReplaced_TheNewOneIsRung) {
  const auto port = Create().value();
  const EventFd other = EventFd::Create().value();
  port->SetNotifier(std::make_unique<EventFdNotifier>(other.Duplicate().value()));
  Offer(1);
  ASSERT_EQ(Pop(*port), 1U);
  port->Finish(chains[0].head(), 0);
  port->Publish();
  EXPECT_FALSE(call.Drain());
  EXPECT_TRUE(other.Drain());
}

TEST_F(Port, Kicks_AreDrainedAndCountedOnceHoweverOftenTheyRang) {
  const auto port = Create().value();
  port->DrainKick();
  EXPECT_EQ(port->stats().kicks, 0U);
  for (int i = 0; i < 3; ++i) kick.Signal();
  port->DrainKick();
  port->DrainKick();
  EXPECT_EQ(port->stats().kicks, 1U);
}

TEST_F(Port, BrokenRing_RingsItsErrorOnceAndStaysQuiet) {
  const auto port = Create().value();
  queue.PublishIdx(17);  // more than the ring has
  EXPECT_EQ(Pop(*port), 0U);
  EXPECT_TRUE(error.Drain());
  queue.PublishIdx(1);
  EXPECT_EQ(Pop(*port), 0U) << "broken for good";
  EXPECT_FALSE(port->Arm()) << "nothing that would keep a worker awake";
  EXPECT_FALSE(error.Drain());
  EXPECT_FALSE(call.Drain());
}

TEST_F(Port, MemoryWithoutTheRing_RingsTheError) {
  const auto port = Create().value();
  port->SetMemory(guest.MapAgain());
  EXPECT_FALSE(error.Drain()) << "the same memory, elsewhere";
  std::vector<mem::MemoryRegion> regions(guest.memory()->regions().begin() + 1,
                                         guest.memory()->regions().end());
  port->SetMemory(mem::GuestMemory::Create(std::move(regions)).value());
  EXPECT_TRUE(error.Drain());
  EXPECT_EQ(Pop(*port), 0U);
}

TEST_F(Port, ErrorDescriptorGivenLater_IsTheOneThatRings) {
  const auto port = Create().value();
  const EventFd other = EventFd::Create().value();
  port->SetError(other.Duplicate().value());
  queue.PublishIdx(17);
  Pop(*port);
  EXPECT_FALSE(error.Drain());
  EXPECT_TRUE(other.Drain());
  const EventFd late = EventFd::Create().value();
  port->SetError(late.Duplicate().value());
  EXPECT_TRUE(late.Drain()) << "it is broken already";
}

TEST(QueueStats, Sum_AddsEveryCounter) {
  QueueStats sum{.requests = 1, .bytes = 2, .errors = 3, .kicks = 4, .interrupts = 5};
  sum += sum;
  EXPECT_EQ(sum.requests, 2U);
  EXPECT_EQ(sum.bytes, 4U);
  EXPECT_EQ(sum.errors, 6U);
  EXPECT_EQ(sum.kicks, 8U);
  EXPECT_EQ(sum.interrupts, 10U);
}

}  // namespace
}  // namespace sealane::device
