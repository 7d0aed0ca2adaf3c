// SPDX-License-Identifier: Apache-2.0
//
// Faults seen in other devices that need more than one request to show: requests that change while
// they are read, long runs, many in flight. Faults of a single request are in
// src/sealane/device/*_test.cc, of a single chain in src/sealane/ring/*_test.cc.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "sealane/mem/shared_access.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/device_fixture.h"

namespace sealane {
namespace {

using testing::ChainBuilder;
using testing::CipherRequest;
using testing::DeviceFixture;
using testing::kDataQueue;

const std::vector<uint8_t> kKey(16, 0x42);

uint64_t AnonymousKiB() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "RssAnon:") continue;
    uint64_t kib = 0;
    status >> kib;
    return kib;
  }
  return 0;
}

// Lengths and addresses flip while the device reads them: every request ends, none crashes.
TEST(Faults, RequestChangedWhileItIsRead_EachEndsOnce) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  const auto header = fixture.guest.Allocate(72, 8);
  const CipherRequest good{.session_id = session, .src_len = 64, .dst_len = 64};
  fixture.guest.Write(header, good.Bytes());
  ChainBuilder chain(fixture.guest);
  chain.ReadableAt(header, 72)
      .Readable(std::vector<uint8_t>(16))
      .Readable(std::vector<uint8_t>(64));
  chain.Writable(64).Writable(1);
  std::atomic<bool> stop{false};
  std::thread flipper([&] {
    uint8_t* const bytes = mem::RawData(fixture.guest.memory()->Translate(header, 72).value());
    for (uint32_t i = 0; !stop.load(std::memory_order_relaxed); ++i) {
      const uint16_t value = (i & 1) != 0 ? 64 : static_cast<uint16_t>(i * 7919);
      mem::Store16(bytes + offsetof(wire::virtio_crypto_sym_op, u.src_data_len), value,
                   std::memory_order_relaxed);
      mem::Store16(bytes + offsetof(wire::virtio_crypto_sym_op, u.dst_data_len) + 2, value,
                   std::memory_order_relaxed);
    }
  });
  int ended = 0;
  constexpr int kRounds = 20000;
  chain.OfferIndirect(*fixture.queues[kDataQueue]);
  for (int i = 0; i < kRounds; ++i) {
    if (i != 0) fixture.queues[kDataQueue]->Offer(0);
    const auto used = fixture.Run(kDataQueue);
    ended += used.size() == 1 && used[0].len <= 65 ? 1 : 0;
  }
  stop.store(true);
  flipper.join();
  EXPECT_EQ(ended, kRounds);
}

// Unmeasured noise aside: 20000 leaked requests of 4 KiB would be 80 MiB.
TEST(Faults, ManyRequests_MemoryStaysFlat) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  ChainBuilder chain(fixture.guest);
  chain.Readable(CipherRequest{.session_id = session, .src_len = 4096, .dst_len = 4096}.Bytes());
  chain.Readable(std::vector<uint8_t>(16 + 4096)).Writable(4097);
  chain.OfferIndirect(*fixture.queues[kDataQueue]);
  const auto run = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      fixture.queues[kDataQueue]->Offer(0);
      fixture.Run(kDataQueue);
    }
  };
  run(2000);
  const uint64_t before = AnonymousKiB();
  run(20000);
  // A sanitizer keeps freed memory for a while, hence the room; a leak of one chain each would be
  // more.
  EXPECT_LT(AnonymousKiB(), before + uint64_t{64} * 1024);
}

TEST(Faults, SessionsMadeAndClosed_MemoryStaysFlat) {
  DeviceFixture fixture({.max_sessions = 16});
  const auto churn = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      auto id = fixture.device->CreateSession({.algorithm = crypto::CipherAlgorithm::kAesCbc,
                                               .direction = crypto::Direction::kEncrypt,
                                               .key = SecretBytes(std::span<const uint8_t>(kKey))});
      ASSERT_TRUE(id.has_value());
      ASSERT_TRUE(fixture.device->CloseSession(*id));
    }
  };
  churn(2000);
  const uint64_t before = AnonymousKiB();
  churn(100000);
  EXPECT_LT(AnonymousKiB(), before + uint64_t{64} * 1024);
}

// More than the pool of the device and than one batch at once: all come back, each once.
TEST(Faults, WholeRingAtOnce_EveryHeadComesBackOnce) {
  DeviceFixture fixture;
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  auto& queue = *fixture.queues[kDataQueue];
  std::vector<ChainBuilder> chains(queue.size(), ChainBuilder(fixture.guest));
  for (uint32_t i = 0; i < queue.size(); ++i) {
    // One in four is malformed in some way.
    const uint32_t len = i % 4 == 3 ? 33 : 32;
    chains[i].Readable(
        CipherRequest{.session_id = session, .src_len = len, .dst_len = len}.Bytes());
    chains[i].Readable(std::vector<uint8_t>(64)).Writable(64);
    chains[i].OfferIndirect(queue, static_cast<uint16_t>(queue.size() - 1 - i));
  }
  const auto used = fixture.Run(kDataQueue, queue.size());
  ASSERT_EQ(used.size(), queue.size());
  std::vector<bool> seen(queue.size());
  for (const auto& elem : used) {
    EXPECT_FALSE(seen[elem.id]);
    seen[elem.id] = true;
  }
  for (uint32_t i = 0; i < queue.size(); ++i) {
    EXPECT_EQ(chains[i].written().back(),
              i % 4 == 3 ? wire::VIRTIO_CRYPTO_ERR : wire::VIRTIO_CRYPTO_OK);
  }
}

}  // namespace
}  // namespace sealane
