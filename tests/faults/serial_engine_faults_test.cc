// SPDX-License-Identifier: Apache-2.0
//
// A device over a serial engine with a tiny queue, whose hardware is slow or answers nothing at
// all. tests/faults/README.md, "Engines".
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "engine_fixture.h"
#include "fault_fixture.h"
#include "sealane/crypto/serial_engine.h"
#include "sealane/wire/virtio_crypto.h"
#include "slow_engine.h"

namespace sealane::faults {
namespace {

using namespace std::chrono_literals;

constexpr auto kTimeout = 300ms;  // of an operation
// What a test accepts as bounded, on a machine that has much else to do.
constexpr auto kBound = 15s;

// A base, so that it is there before the device and outlives it.
struct SerialEngineHolder {
  SerialEngineHolder() {
    auto made = std::make_unique<SlowEngine>(1);
    hardware = made.get();
    serial = std::move(*crypto::SerialEngine::Create(
        std::move(made),
        {.queue_depth = 2, .backlog_depth = 2, .in_flight = 2, .timeout = kTimeout}));
  }
  SlowEngine* hardware = nullptr;  // the serial engine's
  std::unique_ptr<crypto::SerialEngine> serial;
};

class SerialEngineFaults : public ::testing::Test, public SerialEngineHolder, public EngineFixture {
 protected:
  SerialEngineFaults() : EngineFixture(*serial) {}
  void SetUp() override { start = std::chrono::steady_clock::now(); }
  void TearDown() override {
    if (serial) hardware->Release();
  }

  // Until the hardware has one, and everything in front of it is full.
  void FillUp() {
    hardware->Hold();
    Submit(kRingSize);
    while (serial->stats().full == 0) std::this_thread::yield();
  }
  bool IsInTime() const { return std::chrono::steady_clock::now() - start < kBound; }

  std::chrono::steady_clock::time_point start;
};

TEST_F(SerialEngineFaults, TinyQueue_1024SubmittedAll1024Right) {
  for (int round = 0; round < 3; ++round) {
    Submit(kRingSize);
    EXPECT_TRUE(AllServed(Collect(kRingSize), kRingSize)) << round;
  }
  EXPECT_GT(serial->stats().full, 0U) << "it was too fast to be full";
}

TEST_F(SerialEngineFaults, HardwareSilent_AllFailInTimeThenServedAgain) {
  FillUp();
  EXPECT_TRUE(AllFailed(Collect(kRingSize), kRingSize, wire::VIRTIO_CRYPTO_ERR));
  EXPECT_TRUE(IsInTime());
  hardware->Release();
  // Its late answer brings it back.
  while (serial->stats().late_finishes == 0) std::this_thread::yield();
  Submit(kRingSize);
  EXPECT_TRUE(AllServed(Collect(kRingSize), kRingSize));
}

TEST_F(SerialEngineFaults, HardwareSilent_TheWorkerSleeps) {
  Submit(1);
  EXPECT_TRUE(AllServed(Collect(1), 1));
  hardware->Hold();
  Submit(1);
  while (serial->stats().started < 2) std::this_thread::yield();
  std::this_thread::sleep_for(5ms);
  EXPECT_LT(CpuMillisecondsWhileIdle(), 60);
}

TEST_F(SerialEngineFaults, StoppedWithEverythingFull_AllThatWasPoppedIsBackInTime) {
  FillUp();
  const auto next_avail = device->StopQueue(0);
  EXPECT_TRUE(IsInTime());
  ASSERT_TRUE(next_avail.has_value());
  const auto used = queue.TakeUsed();
  EXPECT_EQ(used.size(), *next_avail);
  for (const UsedElem& elem : used) {
    EXPECT_EQ(chains[elem.id].written().back(), wire::VIRTIO_CRYPTO_ERR);
  }
}

TEST_F(SerialEngineFaults, MemoryTakenAway_TheLateAnswerTouchesNoneOfIt) {
  FillUp();
  device->Reset();
  EXPECT_TRUE(IsInTime());
  const size_t num_used = queue.TakeUsed().size();
  EXPECT_GT(num_used, 0U);
  hardware->Release();
  while (serial->stats().late_finishes == 0) std::this_thread::yield();
  const Bytes untouched = chains.back().written();
  for (const testing::ChainBuilder& chain : chains) {
    const Bytes written = chain.written();
    EXPECT_TRUE(std::ranges::equal(written.begin(), written.end() - 1, untouched.begin(),
                                   untouched.end() - 1))
        << "nothing but the status, if any";
  }
  EXPECT_TRUE(queue.TakeUsed().empty());
}

TEST_F(SerialEngineFaults, UnpluggedWithEverythingFull_EndsInTime) {
  FillUp();
  device.reset();
  EXPECT_TRUE(IsInTime());
  EXPECT_GT(queue.TakeUsed().size(), 0U);
  serial.reset();
  EXPECT_TRUE(IsInTime()) << "the hardware has still not answered";
}

TEST_F(SerialEngineFaults, ClosedWhileInFlight_FinishesThenTheKeyIsGone) {
  hardware->Hold();
  Submit(4);
  while (serial->stats().started == 0) std::this_thread::yield();
  EXPECT_TRUE(device->CloseSession(session));
  EXPECT_EQ(hardware->num_sessions(), 1);
  hardware->Release();
  EXPECT_TRUE(AllServed(Collect(4), 4));
  while (hardware->num_sessions() != 0 && IsInTime()) std::this_thread::yield();
  EXPECT_EQ(hardware->num_sessions(), 0);
}

TEST_F(SerialEngineFaults, MemoryReplacedWhileFull_NothingIsLost) {
  for (int round = 0; round < 5; ++round) {
    Submit(100);
    device->SetMemory(guest.MapAgain());
    EXPECT_TRUE(AllServed(Collect(100), 100)) << round;
  }
}

}  // namespace
}  // namespace sealane::faults
