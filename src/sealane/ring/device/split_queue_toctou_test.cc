// SPDX-License-Identifier: Apache-2.0
//
// A hostile driver changes descriptors, heads and indirect tables while the device works on them
// (faults row 3). Whatever the device copied first is what it must use: no access outside guest
// memory (ASan), no more chains than the ring holds, and a ring that breaks stays broken.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sealane/mem/shared_access.h"
#include "sealane/ring/device/split_queue.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/testing/fake_driver_queue.h"

namespace sealane::ring::device {
namespace {

using mem::GuestAddr;
using testing::FakeDriverQueue;
using testing::GuestFixture;

constexpr uint16_t kSize = 16;
constexpr uint32_t kNumTableDescs = 8;
constexpr uint64_t kRegionSize = 1 << 16;
constexpr uint64_t kNumChains = 1000000;

// Writes values that are right, nearly right and absurd over everything that a chain is made of.
class Attacker {
 public:
  Attacker(const GuestFixture& guest, const FakeDriverQueue& driver, GuestAddr table)
      : guest_(guest),
        descs_(At(driver.addresses().desc, wire::DescTableSize(kSize))),
        heads_(At(driver.addresses().avail, wire::AvailRingSize(kSize)) + wire::kRingEntriesOffset),
        table_(At(table, kNumTableDescs * sizeof(wire::vring_desc))),
        table_addr_(table) {}

  void Run(const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed)) {
      ChangeDescriptor(descs_, kSize);
      ChangeDescriptor(table_, kNumTableDescs);
      // Mostly good heads, or the ring would break at once.
      const uint16_t head = random_() % 64 == 0 ? kSize : Below(kSize);
      mem::Store16(heads_ + size_t{2} * Below(kSize), head, std::memory_order_relaxed);
    }
  }

 private:
  uint8_t* At(GuestAddr addr, size_t size) const {
    return mem::RawData(guest_.memory()->Translate(addr, size).value());
  }
  uint16_t Below(uint32_t limit) { return static_cast<uint16_t>(random_() % limit); }

  void ChangeDescriptor(uint8_t* descs, uint32_t count) {
    uint8_t* const desc = descs + Below(count) * sizeof(wire::vring_desc);
    const Le64 addr(SomeAddr());
    const Le32 len(SomeLen());
    switch (random_() % 4) {
      case 0:
        return mem::CopyIn(desc, std::bit_cast<std::array<uint8_t, 8>>(addr).data(), 8);
      case 1:
        return mem::CopyIn(desc + 8, std::bit_cast<std::array<uint8_t, 4>>(len).data(), 4);
      case 2:
        return mem::Store16(desc + 12, Below(8), std::memory_order_relaxed);
      default:
        return mem::Store16(desc + 14, Below(count + 1), std::memory_order_relaxed);
    }
  }

  uint64_t SomeAddr() {
    constexpr uint64_t kBuffers = GuestFixture::kBase + kRegionSize / 2;
    switch (random_() % 8) {
      case 0:
        return Raw(table_addr_) + random_() % 3;
      case 1:
        return Raw(guest_.boundary()) - random_() % 64;
      case 2:
        return Raw(guest_.end()) - random_() % 64;
      case 3:
        return ~uint64_t{0} - random_() % 64;
      default:
        return kBuffers + random_() % 1024;
    }
  }

  uint32_t SomeLen() {
    constexpr std::array<uint32_t, 8> kLens = {0, 1, 16, 32, 72, 128, 1000, 0xffffffff};
    return kLens[random_() % kLens.size()];
  }

  const GuestFixture& guest_;
  uint8_t* descs_;
  uint8_t* heads_;
  uint8_t* table_;
  GuestAddr table_addr_;
  std::mt19937 random_{3};
};

struct Tally {
  uint64_t good = 0;
  uint64_t good_with_bytes = 0;
  uint64_t bad = 0;
  uint64_t broken_rings = 0;
};

// The device: pops what is there, touches every byte of every chain, completes.
class Victim {
 public:
  explicit Victim(FakeDriverQueue& driver, const GuestFixture& guest)
      : driver_(driver), guest_(guest) {
    for (DescriptorChain& chain : chains_) pointers_.push_back(&chain);
  }

  void Run(Tally& tally) {
    for (uint64_t round = 0; tally.good + tally.bad < kNumChains; ++round) {
      // On a busy machine the two threads take turns: then let the attacker have its turn often.
      if (round % 64 == 0) std::this_thread::yield();
      if (!queue_ || queue_->broken()) Restart(tally);
      driver_.PublishIdx(static_cast<uint16_t>(queue_->next_avail() + kSize));
      const size_t n = queue_->Pop(pointers_);
      ASSERT_LE(n, size_t{kSize});
      done_.clear();
      for (size_t i = 0; i < n; ++i) Serve(chains_[i], tally);
      queue_->Complete(done_);
      queue_->NeedsNotify();
    }
  }

 private:
  void Restart(Tally& tally) {
    if (queue_) {
      ++tally.broken_rings;
      EXPECT_EQ(queue_->Pop(pointers_), 0U);
    }
    auto queue =
        SplitQueue::Create(guest_.memory(), {.size = kSize, .location = driver_.location()});
    ASSERT_TRUE(queue.has_value());
    queue_.emplace(std::move(*queue));
  }

  void Serve(const DescriptorChain& chain, Tally& tally) {
    ASSERT_LT(chain.head(), kSize);
    uint64_t readable = 0;
    for (const mem::GuestRange& range : chain.readable()) {
      ASSERT_TRUE(guest_.Contains(range));
      bytes_.resize(range.size());
      range.CopyTo(0, bytes_);
      readable += range.size();
    }
    uint64_t writable = 0;
    for (const mem::GuestRange& range : chain.writable()) {
      ASSERT_TRUE(guest_.Contains(range));
      writable += range.size();
    }
    if (!chain.bad()) {
      EXPECT_EQ(readable, chain.readable_len());
      EXPECT_EQ(writable, chain.writable_len());
    }
    const bool written = chain.WriteLastByte(0x77);
    EXPECT_TRUE(chain.bad() || written == (writable != 0));
    ++(chain.bad() ? tally.bad : tally.good);
    if (!chain.bad() && readable + writable != 0) ++tally.good_with_bytes;
    done_.push_back({.head = chain.head(), .len = written ? 1U : 0U});
  }

  FakeDriverQueue& driver_;
  const GuestFixture& guest_;
  std::optional<SplitQueue> queue_;
  std::array<DescriptorChain, kSize + 1> chains_;
  std::vector<DescriptorChain*> pointers_;
  std::vector<Completion> done_;
  std::vector<uint8_t> bytes_;
};

TEST(SplitQueueToctou, Pop_DriverChangesEverythingMeanwhile_StaysInsideMemory) {
  GuestFixture guest(kRegionSize);
  FakeDriverQueue driver(guest, kSize);
  const GuestAddr table = guest.Allocate(kNumTableDescs * sizeof(wire::vring_desc));
  std::atomic<bool> stop = false;
  Attacker attacker(guest, driver, table);
  std::thread attacker_thread([&] { attacker.Run(stop); });
  Tally tally;
  Victim(driver, guest).Run(tally);
  stop.store(true, std::memory_order_relaxed);
  attacker_thread.join();
  // A test that only ever saw one kind has shown little.
  EXPECT_GT(tally.good_with_bytes, 1000U);
  EXPECT_GT(tally.bad, 1000U);
  EXPECT_GT(tally.broken_rings, 0U);
  RecordProperty("good_with_bytes", std::to_string(tally.good_with_bytes));
  RecordProperty("bad", std::to_string(tally.bad));
  RecordProperty("broken_rings", std::to_string(tally.broken_rings));
}

}  // namespace
}  // namespace sealane::ring::device
