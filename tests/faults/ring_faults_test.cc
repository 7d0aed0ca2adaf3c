// SPDX-License-Identifier: Apache-2.0
//
// Faults of rings and of long runs.
#include <atomic>
#include <cstddef>
#include <thread>

#include "fault_fixture.h"
#include "sealane/mem/shared_access.h"

namespace sealane::faults {
namespace {

using testing::ChainBuilder;
using testing::CipherRequest;

constexpr uint16_t kNext = wire::VRING_DESC_F_NEXT;
constexpr uint16_t kWrite = wire::VRING_DESC_F_WRITE;
constexpr uint16_t kIndirect = wire::VRING_DESC_F_INDIRECT;

class RingFaults : public FaultTest {
 protected:
  testing::FakeDriverQueue& queue() { return *fixture.queues[kQueue]; }
  // Offers head 0 as the test has written it. Whether it came back; its length.
  int64_t OfferHead() {
    queue().Offer(0);
    const auto used = fixture.Run(kQueue);
    if (used.size() != 1 || used[0].id != 0) return -1;
    return used[0].len;
  }
  // An indirect table of these descriptors.
  mem::GuestAddr Table(const std::vector<wire::vring_desc>& descs) {
    const uint64_t size = descs.size() * sizeof(wire::vring_desc);
    const auto table = fixture.guest.Allocate(size, 16);
    for (size_t i = 0; i < descs.size(); ++i) {
      fixture.guest.Write(mem::GuestAddr{Raw(table) + i * sizeof(wire::vring_desc)},
                          std::bit_cast<std::array<uint8_t, sizeof(wire::vring_desc)>>(descs[i]));
    }
    return table;
  }
  static wire::vring_desc Desc(mem::GuestAddr addr, uint32_t len, uint16_t flags, uint16_t next) {
    return {.addr = Le64(Raw(addr)), .len = Le32(len), .flags = Le16(flags), .next = Le16(next)};
  }

  // Changes lengths of the header, and an address and a link of the table, every other time to
  // something good.
  void FlipUntil(const std::atomic<bool>& stop, mem::GuestAddr header, mem::GuestAddr table) {
    const auto at = [&](mem::GuestAddr addr, size_t offset) {
      return mem::RawData(
          fixture.guest.memory()->Translate(mem::GuestAddr{Raw(addr) + offset}, 2).value());
    };
    uint8_t* const src_len = at(header, offsetof(wire::virtio_crypto_sym_op, u.src_data_len));
    uint8_t* const dst_len = at(header, offsetof(wire::virtio_crypto_sym_op, u.dst_data_len) + 2);
    uint8_t* const addr_top = at(table, 2 * sizeof(wire::vring_desc) + 4);
    uint8_t* const next = at(table, 3 * sizeof(wire::vring_desc) + 14);
    for (uint32_t i = 0; !stop.load(std::memory_order_relaxed); ++i) {
      const bool good = (i & 1) != 0;
      const auto noise = static_cast<uint16_t>(i * 7919);
      mem::Store16(src_len, good ? 32 : noise, std::memory_order_relaxed);
      mem::Store16(dst_len, good ? 0 : noise, std::memory_order_relaxed);
      mem::Store16(addr_top, (i & 6) != 0 ? 0 : noise, std::memory_order_relaxed);
      mem::Store16(next, (i & 24) != 0 ? 4 : noise, std::memory_order_relaxed);
    }
  }

  mem::GuestAddr buffer = fixture.guest.Allocate(256);
};

// What the driver is told is length 0: where the status would go is not known.
TEST_F(RingFaults, Fault05_LoopsAndBadLinks_ComeBackAndTheDeviceSleeps) {
  queue().SetDesc(0, buffer, 16, kNext, 0);
  EXPECT_EQ(OfferHead(), 0) << "a loop of one";
  queue().SetDesc(0, buffer, 16, kNext, 1);
  queue().SetDesc(1, buffer, 16, kNext, 0);
  EXPECT_EQ(OfferHead(), 0) << "a loop of two";
  queue().SetDesc(0, buffer, 16, kNext | kWrite, 0);
  EXPECT_EQ(OfferHead(), 0) << "a writable loop";
  for (const uint16_t next : {uint16_t{256}, uint16_t{65535}}) {
    queue().SetDesc(0, buffer, 16, kNext, next);
    EXPECT_EQ(OfferHead(), 0) << "out of the table: " << next;
  }
  EXPECT_LT(CpuMillisecondsWhileIdle(), 60);
}

TEST_F(RingFaults, Fault05_BadIndirectTables_ComeBack) {
  const auto good = Table({Desc(buffer, 16, kNext, 1), Desc(buffer, 1, kWrite, 0)});
  for (const uint32_t len : {0U, 1U, 15U, 17U, 31U, 33U, 0xffffffffU, 0xfffffff0U}) {
    queue().SetDesc(0, good, len, kIndirect);
    EXPECT_EQ(OfferHead(), 0) << len;
  }
  queue().SetDesc(0, good, 32, kIndirect | kNext, 1);
  EXPECT_EQ(OfferHead(), 0) << "INDIRECT with NEXT";
  queue().SetDesc(0, Table({Desc(good, 32, kIndirect, 0)}), 16, kIndirect);
  EXPECT_EQ(OfferHead(), 0) << "a table in a table";
  queue().SetDesc(0, Table({Desc(buffer, 16, kNext, 0)}), 16, kIndirect);
  EXPECT_EQ(OfferHead(), 0) << "a loop inside";
  queue().SetDesc(0, Table({Desc(buffer, 16, kNext, 1)}), 16, kIndirect);
  EXPECT_EQ(OfferHead(), 0) << "a link out of it";
  queue().SetDesc(0, fixture.guest.end(), 32, kIndirect);
  EXPECT_EQ(OfferHead(), 0) << "outside memory";
  queue().SetDesc(0, mem::GuestAddr{~uint64_t{15}}, 32, kIndirect);
  EXPECT_EQ(OfferHead(), 0) << "its end wraps";
}

TEST_F(RingFaults, Fault05_EmptyDescriptors_AndBuffersOutsideMemory) {
  queue().SetDesc(0, buffer, 0, 0);
  EXPECT_EQ(OfferHead(), 0) << "nothing at all";
  queue().SetDesc(0, buffer, 0, kWrite);
  EXPECT_EQ(OfferHead(), 0) << "nothing writable";
  queue().SetDesc(0, fixture.guest.end(), 16, kNext, 1);
  queue().SetDesc(1, buffer, 1, kWrite);
  EXPECT_EQ(OfferHead(), 1) << "the last byte is known";
  EXPECT_EQ(fixture.guest.Read(buffer, 1)[0], wire::VIRTIO_CRYPTO_ERR);
  queue().SetDesc(0, buffer, 1, kNext | kWrite, 1);
  queue().SetDesc(1, buffer, 16, 0);
  EXPECT_EQ(OfferHead(), 1) << "readable behind writable";
  // Empty descriptors anywhere in a good request change nothing.
  ChainBuilder chain(fixture.guest);
  chain.Readable({}).Readable(Good().Bytes()).Readable({}).Readable(kIv).Readable(kPlain);
  chain.Writable(0).Writable(32).Writable(1).Writable(0);
  EXPECT_TRUE(IsRight(std::move(chain)));
}

// The index jumps, or a head is out of range: the ring makes no sense any more.
class BrokenRing : public ::testing::TestWithParam<int> {};

TEST_P(BrokenRing, Fault05_ItStops_ItsErrorRings_TheOtherServes_NothingSpins) {
  testing::DeviceFixture fixture({.num_data_queues = 2});
  const uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  if (GetParam() < 0) {
    fixture.queues[0]->Offer(65535);
    fixture.queues[0]->Publish();
  } else {
    fixture.queues[0]->PublishIdx(static_cast<uint16_t>(GetParam()));
  }
  fixture.kicks[0].Signal();
  EXPECT_TRUE(fixture.errors[0].Wait(10000));
  ChainBuilder chain(fixture.guest);
  chain.Readable(CipherRequest{.session_id = session}.Bytes()).Readable(kIv).Writable(1);
  EXPECT_EQ(fixture.Send(1, chain), 1);
  EXPECT_TRUE(fixture.queues[0]->TakeUsed().empty());
  EXPECT_FALSE(fixture.errors[1].Drain());
  EXPECT_LT(CpuMillisecondsWhileIdle(), 60);
}

INSTANTIATE_TEST_SUITE_P(Indices, BrokenRing, ::testing::Values(-1, 257, 32768, 65535));

// Lengths, session and addresses flip while the device reads them.
TEST_F(RingFaults, Fault03_RequestChangedWhileItIsRead_EachEndsOnce) {
  const auto header = fixture.guest.Allocate(72, 8);
  fixture.guest.Write(header, Good().Bytes());
  const auto status = fixture.guest.Allocate(1);
  const auto payload = fixture.guest.Allocate(32, 16);
  const auto table =
      Table({Desc(header, 72, kNext, 1), Desc(buffer, 16, kNext, 2), Desc(payload, 32, kNext, 3),
             Desc(payload, 32, kNext | kWrite, 4), Desc(status, 1, kWrite, 0)});
  queue().SetDesc(0, table, 5 * sizeof(wire::vring_desc), kIndirect);
  std::atomic<bool> stop{false};
  std::thread flipper([&] { FlipUntil(stop, header, table); });
  constexpr int kRounds = 100000;
  int ended = 0;
  for (int i = 0; i < kRounds; ++i) {
    queue().Offer(0);
    const auto used = fixture.Run(kQueue);
    ended += used.size() == 1 && used[0].len <= 33 ? 1 : 0;
  }
  stop.store(true);
  flipper.join();
  EXPECT_EQ(ended, kRounds);
  EXPECT_FALSE(fixture.errors[kQueue].Drain()) << "the ring itself was never wrong";
}

TEST_F(RingFaults, Fault18_HeadsInAnyOrder_EachComesBackOnce) {
  std::vector<ChainBuilder> chains;
  for (const uint16_t head : {uint16_t{5}, uint16_t{3}, uint16_t{9}, uint16_t{1}}) {
    chains.push_back(Chain(Good()));
    chains.back().OfferIndirect(queue(), head);
  }
  const auto used = fixture.Run(kQueue, chains.size());
  ASSERT_EQ(used.size(), chains.size());
  uint32_t ids = 0;
  for (const auto& elem : used) {
    EXPECT_EQ(elem.len, 33U);
    ids |= 1U << elem.id;
  }
  EXPECT_EQ(ids, (1U << 5 | 1U << 3 | 1U << 9 | 1U << 1));
  for (const ChainBuilder& chain : chains) EXPECT_TRUE(IsRight(chain, 33, 0));
}

// More than one batch of the device at once, some of them malformed.
TEST_F(RingFaults, Fault18_WholeRingAtOnce_EveryHeadComesBackOnce) {
  std::vector<ChainBuilder> chains(queue().size(), ChainBuilder(fixture.guest));
  for (uint32_t i = 0; i < queue().size(); ++i) {
    const uint32_t len = i % 4 == 3 ? 33 : 32;
    chains[i].Readable(
        CipherRequest{.session_id = session, .src_len = len, .dst_len = len}.Bytes());
    chains[i].Readable(Bytes(64)).Writable(64);
    chains[i].OfferIndirect(queue(), static_cast<uint16_t>(queue().size() - 1 - i));
  }
  const auto used = fixture.Run(kQueue, queue().size());
  ASSERT_EQ(used.size(), queue().size());
  std::vector<bool> seen(queue().size());
  for (const auto& elem : used) {
    EXPECT_FALSE(seen[elem.id]);
    seen[elem.id] = true;
  }
  for (uint32_t i = 0; i < queue().size(); ++i) {
    EXPECT_EQ(chains[i].written().back(),
              i % 4 == 3 ? wire::VIRTIO_CRYPTO_ERR : wire::VIRTIO_CRYPTO_OK);
  }
}

// 100000 leaked requests of 4 KiB would be 400 MiB, of one pointer each 800 KiB.
TEST_F(RingFaults, Fault33_ManyRequests_MemoryStaysFlat) {
  ChainBuilder chain(fixture.guest);
  chain.Readable(CipherRequest{.session_id = session, .src_len = 4096, .dst_len = 4096}.Bytes());
  chain.Readable(Bytes(16 + 4096)).Writable(4097);
  chain.OfferIndirect(queue());
  const auto run = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      ASSERT_EQ(fixture.Run(kQueue).size(), 1U);
      queue().Offer(0);
    }
  };
  run(2000);
  const uint64_t before = AnonymousKiB();
  run(100000);
  // A sanitizer keeps freed memory for a while, hence the room.
  EXPECT_LT(AnonymousKiB(), before + uint64_t{64} * 1024);
  fixture.Run(kQueue);  // the one that is offered still
}

// Chains of 32768 descriptors make long lists; they are given back.
TEST_F(RingFaults, Fault33_LongestChains_LeaveNoMemoryBehind) {
  constexpr uint32_t kCount = 32768;
  std::vector<wire::vring_desc> descs(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const bool last = i + 1 == kCount;
    descs[i] = Desc(buffer, 1, last ? kWrite : kNext, static_cast<uint16_t>(i + 1));
  }
  const auto table = Table(descs);
  for (uint16_t head = 0; head < queue().size(); ++head) {
    queue().SetDesc(head, table, kCount * sizeof(wire::vring_desc), kIndirect);
  }
  const uint64_t before = AnonymousKiB();
  for (int round = 0; round < 4; ++round) {
    for (uint16_t head = 0; head < queue().size(); ++head) queue().Offer(head);
    ASSERT_EQ(fixture.Run(kQueue, queue().size()).size(), queue().size());
  }
  EXPECT_LT(AnonymousKiB(), before + uint64_t{192} * 1024);
}

}  // namespace
}  // namespace sealane::faults
