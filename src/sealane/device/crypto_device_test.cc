// SPDX-License-Identifier: Apache-2.0
//
// A device's life: queues that start, stop and move, memory that is replaced while requests run,
// rings that break.
#include "sealane/device/crypto_device.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/device_fixture.h"

namespace sealane::device {
namespace {

using testing::ChainBuilder;
using testing::DeviceFixture;
using testing::kDataQueue;

const std::vector<uint8_t> kKey(16, 0x11);

// An empty request of an open session: OK, one byte.
ChainBuilder EmptyRequest(DeviceFixture& fixture, uint64_t session) {
  ChainBuilder chain(fixture.guest);
  chain.Readable(testing::CipherRequest{.session_id = session}.Bytes())
      .Readable(std::vector<uint8_t>(16))
      .Writable(1);
  return chain;
}

bool IsServed(DeviceFixture& fixture, uint32_t queue, uint64_t session) {
  ChainBuilder chain = EmptyRequest(fixture, session);
  return fixture.Send(queue, chain) == 1 && chain.written()[0] == wire::VIRTIO_CRYPTO_OK;
}

double ProcessCpuSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(CryptoDevice, ImpossibleOptions_AreRefused) {
  auto engine = crypto::OpenSslEngine::Create();
  ASSERT_TRUE(engine.has_value());
  EXPECT_FALSE(CryptoDevice::Create(**engine, {.num_data_queues = 0}).has_value());
  EXPECT_FALSE(CryptoDevice::Create(**engine, {.num_data_queues = 65}).has_value());
  EXPECT_FALSE(CryptoDevice::Create(**engine, {.max_sessions = 0}).has_value());
}

TEST(CryptoDevice, Config_SaysWhatTheEngineOffers) {
  DeviceFixture fixture({.num_data_queues = 3});
  const auto& config = fixture.device->config();
  EXPECT_EQ(config.status.get(), wire::VIRTIO_CRYPTO_S_HW_READY);
  EXPECT_EQ(config.max_dataqueues.get(), 3U);
  EXPECT_EQ(config.crypto_services.get(), 0xfU) << "all but AKCIPHER";
  EXPECT_EQ(config.cipher_algo_l.get(), 0x239cU) << "bits 2, 3, 4, 7, 8, 9, 13";
  EXPECT_EQ(config.hash_algo.get(), 0x1ffeU);
  EXPECT_EQ(config.max_size.get(), uint64_t{1} << 24);
  // REVISION_1, and stateless requests of the services that there are.
  EXPECT_EQ(fixture.device->features() & 0xff, 0x1fU);
}

TEST(CryptoDevice, SeveralQueues_AllServe) {
  DeviceFixture fixture({.num_data_queues = 5});
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  for (uint32_t queue = 0; queue < 5; ++queue) EXPECT_TRUE(IsServed(fixture, queue, session));
}

TEST(CryptoDevice, StopAndStart_GoesOnWhereItWas) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(IsServed(fixture, kDataQueue, session));
  const auto next = fixture.device->StopQueue(kDataQueue);
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(*next, 3);
  EXPECT_FALSE(fixture.device->StopQueue(kDataQueue).has_value());
  // What was offered meanwhile is served after the start.
  ChainBuilder waiting = EmptyRequest(fixture, session);
  waiting.OfferIndirect(*fixture.queues[kDataQueue]);
  fixture.queues[kDataQueue]->Publish();
  QueueSetup setup = fixture.MakeSetup(kDataQueue);
  setup.next_avail = *next;
  ASSERT_TRUE(fixture.device->StartQueue(kDataQueue, std::move(setup)).has_value());
  EXPECT_EQ(fixture.Run(kDataQueue).size(), 1U);
  EXPECT_EQ(fixture.device->stats(kDataQueue).requests, 4U);
}

TEST(CryptoDevice, MemoryReplacedUnderLoad_NothingIsLost) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  std::atomic<bool> stop{false};
  std::thread replacer([&] {
    while (!stop.load()) fixture.device->SetMemory(fixture.guest.MapAgain());
  });
  ChainBuilder chain = EmptyRequest(fixture, session);
  int served = 0;
  for (int i = 0; i < 2000; ++i) served += fixture.Send(kDataQueue, chain) == 1 ? 1 : 0;
  stop.store(true);
  replacer.join();
  EXPECT_EQ(served, 2000);
}

TEST(CryptoDevice, MemoryWithoutTheRing_BreaksTheQueueAndSaysSo) {
  DeviceFixture fixture;
  std::vector<mem::MemoryRegion> regions(fixture.guest.memory()->regions().begin(),
                                         fixture.guest.memory()->regions().end());
  regions.erase(regions.begin());  // the one with the rings
  fixture.device->SetMemory(mem::GuestMemory::Create(std::move(regions)).value());
  EXPECT_TRUE(fixture.errors[kDataQueue].Wait(10000));
}

TEST(CryptoDevice, MemoryWithoutOneRing_TheOtherGoesOn) {
  DeviceFixture fixture({.num_data_queues = 2});
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  fixture.device->StopQueue(1);
  fixture.guest.Allocate(fixture.guest.memory()->regions()[0].size());  // on to the second region
  fixture.queues[1] = std::make_unique<testing::FakeDriverQueue>(fixture.guest, 64);
  ASSERT_TRUE(fixture.device->StartQueue(1, fixture.MakeSetup(1)).has_value());
  std::vector<mem::MemoryRegion> regions(fixture.guest.memory()->regions().begin() + 1,
                                         fixture.guest.memory()->regions().end());
  fixture.device->SetMemory(mem::GuestMemory::Create(std::move(regions)).value());
  EXPECT_TRUE(fixture.errors[0].Wait(10000));
  EXPECT_TRUE(IsServed(fixture, 1, session));
  EXPECT_FALSE(fixture.errors[1].Drain());
}

// More than one worker fetches at once.
TEST(CryptoDevice, EveryQueueFull_AllAreServed) {
  constexpr uint32_t kNumQueues = 16;
  DeviceFixture fixture({.num_data_queues = kNumQueues});
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  for (uint32_t index = 0; index < kNumQueues; ++index) {
    auto& queue = *fixture.queues[index];
    for (uint32_t head = 0; head < queue.size(); ++head) {
      EmptyRequest(fixture, session).OfferIndirect(queue, static_cast<uint16_t>(head));
    }
    queue.Publish();
  }
  for (const EventFd& kick : fixture.kicks) kick.Signal();
  for (uint32_t index = 0; index < kNumQueues; ++index) {
    EXPECT_EQ(fixture.Run(index, fixture.queues[index]->size()).size(),
              fixture.queues[index]->size());
  }
}

TEST(CryptoDevice, BrokenRing_StopsAloneAndIdle) {
  DeviceFixture fixture({.num_data_queues = 2});
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  fixture.queues[0]->PublishIdx(30000);  // a jump beyond the size
  fixture.kicks[0].Signal();
  EXPECT_TRUE(fixture.errors[0].Wait(10000));
  EXPECT_TRUE(IsServed(fixture, 1, session));
  const double before = ProcessCpuSeconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(ProcessCpuSeconds() - before, 0.1) << "an idle device uses no CPU";
}

TEST(CryptoDevice, BadHead_BreaksTheRing) {
  DeviceFixture fixture;
  fixture.queues[kDataQueue]->Offer(256);
  fixture.queues[kDataQueue]->Publish();
  fixture.kicks[kDataQueue].Signal();
  EXPECT_TRUE(fixture.errors[kDataQueue].Wait(10000));
}

TEST(CryptoDevice, Interrupts_ComeUnlessTheDriverSaysNo) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  fixture.calls[kDataQueue].Drain();
  EXPECT_TRUE(IsServed(fixture, kDataQueue, session));
  EXPECT_TRUE(fixture.calls[kDataQueue].Wait(10000));
  fixture.device->stats(kDataQueue);  // a quiet point: the interrupt is out
  fixture.calls[kDataQueue].Drain();
  fixture.queues[kDataQueue]->SetAvailFlags(wire::VRING_AVAIL_F_NO_INTERRUPT);
  EXPECT_TRUE(IsServed(fixture, kDataQueue, session));
  fixture.device->stats(kDataQueue);
  EXPECT_FALSE(fixture.calls[kDataQueue].Drain());
}

TEST(CryptoDevice, Reset_ForgetsEverything) {
  DeviceFixture fixture;
  EXPECT_NE(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U);
  fixture.device->Reset();
  EXPECT_EQ(fixture.device->num_sessions(), 0U);
  EXPECT_FALSE(fixture.device->running(kDataQueue));
  EXPECT_FALSE(fixture.device->StartQueue(kDataQueue, fixture.MakeSetup(kDataQueue)).has_value())
      << "there is no memory";
}

TEST(CryptoDevice, StartQueue_BadSetups_AreRefused) {
  DeviceFixture fixture;
  EXPECT_FALSE(fixture.device->StartQueue(kDataQueue, fixture.MakeSetup(kDataQueue)).has_value())
      << "it runs already";
  fixture.device->StopQueue(kDataQueue);
  QueueSetup setup = fixture.MakeSetup(kDataQueue);
  setup.size = 3;
  EXPECT_FALSE(fixture.device->StartQueue(kDataQueue, std::move(setup)).has_value());
  setup = fixture.MakeSetup(kDataQueue);
  setup.kick = EventFd();
  EXPECT_FALSE(fixture.device->StartQueue(kDataQueue, std::move(setup)).has_value());
  EXPECT_FALSE(fixture.device->StartQueue(99, fixture.MakeSetup(kDataQueue)).has_value());
}

}  // namespace
}  // namespace sealane::device
