// SPDX-License-Identifier: Apache-2.0
//
// A driver thread and a device thread on one ring, each asleep whenever it has nothing to do and
// woken only if the flags or event fields say so. A wake-up that is lost leaves both asleep, and
// the watchdog ends the test. Also run under TSan.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bit>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/ring/device/split_queue.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/testing/fake_driver_queue.h"

namespace sealane::ring::device {
namespace {

using mem::GuestAddr;
using testing::FakeDriverQueue;
using testing::GuestFixture;

constexpr uint16_t kSize = 128;
constexpr uint16_t kSlots = kSize / 2;  // a chain: one descriptor to read, one to write
constexpr uint32_t kNumChains = 200000;
constexpr uint32_t kNumBytes = 9;  // the answer and the status
constexpr int kWatchdogMs = 20000;
constexpr uint64_t kAnswer = 0x5ea1a9e5ea1a9e00;  // the device's work: request xor this

struct Negotiation {
  const char* name;
  EventMode mode;
  bool driver_event_idx;
};

struct Bells {
  EventFd kick = EventFd::Create().value();
  EventFd interrupt = EventFd::Create().value();
  std::atomic<bool> stop = false;  // the driver is done, or somebody failed
};

// Between "nothing to do" and "wake me", where the other side must not get lost: sometimes gives it
// time to act just there.
class Linger {
 public:
  void Maybe() {
    const auto choice = random_() % 8;
    if (choice == 0) std::this_thread::yield();
    if (choice >= 4) return;
    for (auto i = random_() % 512; i > 0; --i) spin_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  std::minstd_rand random_{11};
  std::atomic<uint32_t> spin_ = 0;  // keeps the loop from being optimised away
};

class Device {
 public:
  Device(SplitQueue queue, Bells& bells) : queue_(std::move(queue)), bells_(bells) {
    for (DescriptorChain& chain : chains_) pointers_.push_back(&chain);
  }

  // As a worker does: drain, arm, look again, sleep.
  void Run() {
    queue_.DisableKicks();
    while (!bells_.stop.load(std::memory_order_relaxed)) {
      if (ServeSome()) continue;
      linger_.Maybe();
      if (queue_.EnableKicks()) continue;
      ++num_sleeps_;
      if (!bells_.kick.Wait(kWatchdogMs)) {
        ADD_FAILURE() << "the device was never kicked";
        break;
      }
      bells_.kick.Drain();
      queue_.DisableKicks();
    }
    EXPECT_FALSE(queue_.broken());
    bells_.stop.store(true, std::memory_order_relaxed);
    bells_.interrupt.Signal();
  }

  uint64_t num_sleeps() const { return num_sleeps_; }
  uint64_t num_interrupts() const { return num_interrupts_; }

 private:
  bool ServeSome() {
    const size_t n = queue_.Pop(pointers_);
    done_.clear();
    for (size_t i = 0; i < n; ++i) done_.push_back(Serve(chains_[i]));
    queue_.Complete(done_);
    if (queue_.NeedsNotify()) {
      ++num_interrupts_;
      bells_.interrupt.Signal();
    }
    return n != 0;
  }

  static Completion Serve(const DescriptorChain& chain) {
    EXPECT_FALSE(chain.bad());
    std::array<uint8_t, 8> bytes;
    EXPECT_TRUE(RangeCursor(chain.readable()).CopyOut(bytes));
    bytes = std::bit_cast<std::array<uint8_t, 8>>(std::bit_cast<uint64_t>(bytes) ^ kAnswer);
    EXPECT_TRUE(RangeCursor(chain.writable()).CopyIn(bytes));
    EXPECT_TRUE(chain.WriteLastByte(0));
    return {.head = chain.head(), .len = kNumBytes};
  }

  SplitQueue queue_;
  Bells& bells_;
  Linger linger_;
  std::array<DescriptorChain, 16> chains_;
  std::vector<DescriptorChain*> pointers_;
  std::vector<Completion> done_;
  uint64_t num_sleeps_ = 0;
  uint64_t num_interrupts_ = 0;
};

class Driver {
 public:
  Driver(GuestFixture& guest, FakeDriverQueue& queue, Bells& bells, bool event_idx)
      : guest_(guest), queue_(queue), bells_(bells), event_idx_(event_idx) {
    for (uint16_t slot = 0; slot < kSlots; ++slot) {
      requests_[slot] = guest.Allocate(8);
      answers_[slot] = guest.Allocate(kNumBytes);
      const auto head = static_cast<uint16_t>(2 * slot);
      queue.SetDesc(head, requests_[slot], 8, wire::VRING_DESC_F_NEXT, head + 1);
      queue.SetDesc(head + 1U, answers_[slot], kNumBytes, wire::VRING_DESC_F_WRITE);
      free_.push_back(slot);
    }
  }

  void Run() {
    DisableInterrupts();
    while (num_answered_ < kNumChains && !::testing::Test::HasFailure()) {
      // Now and then everything is left to drain, so that the device falls asleep as well.
      if (random_() % 8 != 0) SubmitSome();
      const bool wait_for_all = random_() % 16 == 0;
      do {
        if (!PollAnswers() && !WaitForAnswers()) return Stop();
      } while (wait_for_all && free_.size() != kSlots);
    }
    Stop();
  }

  void Stop() {
    bells_.stop.store(true, std::memory_order_relaxed);
    bells_.kick.Signal();
  }

  uint64_t num_answered() const { return num_answered_; }
  uint64_t num_kicks() const { return num_kicks_; }

 private:
  void SubmitSome() {
    const uint16_t old_idx = queue_.next_avail();
    // Mostly one or two, so that the device runs empty and arms while the next ones come.
    const size_t most = random_() % 8 == 0 ? kSlots : 2;
    for (size_t i = 1 + random_() % most; i > 0 && !free_.empty(); --i) {
      if (num_submitted_ == kNumChains) break;
      const uint16_t slot = free_.back();
      free_.pop_back();
      expected_[slot] = ++num_submitted_;
      guest_.Write(requests_[slot], std::bit_cast<std::array<uint8_t, 8>>(num_submitted_));
      guest_.Write(answers_[slot], std::array<uint8_t, kNumBytes>{0, 0, 0, 0, 0, 0, 0, 0, 0xee});
      queue_.Offer(static_cast<uint16_t>(2 * slot));
    }
    if (queue_.next_avail() == old_idx) return;
    queue_.Publish();
    if (!queue_.MustKick(event_idx_, old_idx)) return;
    ++num_kicks_;
    bells_.kick.Signal();
  }

  // Half of the time looks for a while before it gives up, half of the time not: a driver that
  // always slept, or never, would leave one side no race to lose.
  bool PollAnswers() {
    for (int patience = random_() % 2 == 0 ? 1 : 100; patience > 0; --patience) {
      if (TakeAnswers()) return true;
    }
    return false;
  }

  bool TakeAnswers() {
    const auto used = queue_.TakeUsed();
    for (const auto& [id, len] : used) {
      EXPECT_EQ(len, kNumBytes);
      const uint32_t slot = id / 2;
      if (id % 2 != 0 || slot >= kSlots || expected_[slot] == 0) {
        ADD_FAILURE() << "head " << id << " is not out";
        return false;
      }
      CheckAnswer(static_cast<uint16_t>(slot));
    }
    return !used.empty();
  }

  void CheckAnswer(uint16_t slot) {
    const auto bytes = guest_.Read(answers_[slot], kNumBytes);
    std::array<uint8_t, 8> answer;
    std::copy_n(bytes.begin(), 8, answer.begin());
    EXPECT_EQ(std::bit_cast<uint64_t>(answer), expected_[slot] ^ kAnswer);
    EXPECT_EQ(bytes[8], 0);
    expected_[slot] = 0;
    free_.push_back(slot);
    ++num_answered_;
  }

  void DisableInterrupts() {
    if (event_idx_) {
      queue_.SetUsedEvent(static_cast<uint16_t>(queue_.next_used() - 1));
    } else {
      queue_.SetAvailFlags(wire::VRING_AVAIL_F_NO_INTERRUPT);
    }
  }

  // Arms, looks again, sleeps. False if nobody woke us.
  bool WaitForAnswers() {
    if (free_.size() == kSlots) return true;
    linger_.Maybe();
    if (event_idx_) {
      queue_.SetUsedEvent(queue_.next_used());
    } else {
      queue_.SetAvailFlags(0);
    }
    if (queue_.used_idx() == queue_.next_used()) {
      if (!bells_.interrupt.Wait(kWatchdogMs)) {
        ADD_FAILURE() << "the driver was never interrupted";
        return false;
      }
      bells_.interrupt.Drain();
    }
    DisableInterrupts();
    return !bells_.stop.load(std::memory_order_relaxed);
  }

  GuestFixture& guest_;
  FakeDriverQueue& queue_;
  Bells& bells_;
  bool event_idx_;
  Linger linger_;
  std::minstd_rand random_{7};
  std::array<GuestAddr, kSlots> requests_{};
  std::array<GuestAddr, kSlots> answers_{};
  std::array<uint64_t, kSlots> expected_{};  // 0: the slot is free
  std::vector<uint16_t> free_;
  uint64_t num_submitted_ = 0;
  uint64_t num_answered_ = 0;
  uint64_t num_kicks_ = 0;
};

void PrintTo(const Negotiation& negotiation, std::ostream* os) { *os << negotiation.name; }

class SplitQueueStressTest : public ::testing::TestWithParam<Negotiation> {};

TEST_P(SplitQueueStressTest, TwoThreads_SleepingOnBells_LoseNothing) {
  GuestFixture guest;
  FakeDriverQueue ring(guest, kSize, 65500);
  auto queue = SplitQueue::Create(guest.memory(), {.size = kSize,
                                                   .location = ring.location(),
                                                   .event_mode = GetParam().mode,
                                                   .next_avail = 65500});
  ASSERT_TRUE(queue.has_value());
  Bells bells;
  Driver driver(guest, ring, bells, GetParam().driver_event_idx);
  Device device(std::move(*queue), bells);
  std::thread device_thread([&device] { device.Run(); });
  driver.Run();
  device_thread.join();

  EXPECT_EQ(driver.num_answered(), kNumChains);
  // Otherwise the test has shown nothing about wake-ups.
  EXPECT_GT(device.num_sleeps(), 100U);
  EXPECT_GT(driver.num_kicks(), 100U);
  EXPECT_GT(device.num_interrupts(), 100U);
  RecordProperty("sleeps", std::to_string(device.num_sleeps()));
  RecordProperty("kicks", std::to_string(driver.num_kicks()));
  RecordProperty("interrupts", std::to_string(device.num_interrupts()));
}

INSTANTIATE_TEST_SUITE_P(
    Modes, SplitQueueStressTest,
    ::testing::Values(Negotiation{"Flags", EventMode::kFlags, false},
                      Negotiation{"EventIdx", EventMode::kEventIdx, true},
                      Negotiation{"UnknownDriverHasFlags", EventMode::kUnknown, false},
                      Negotiation{"UnknownDriverHasEventIdx", EventMode::kUnknown, true}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace sealane::ring::device
