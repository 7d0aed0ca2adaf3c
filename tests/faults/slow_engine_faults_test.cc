// SPDX-License-Identifier: Apache-2.0
//
// Faults that show when the engine is slow and takes little at a time.
#include <chrono>
#include <future>
#include <thread>

#include "engine_fixture.h"
#include "fault_fixture.h"
#include "slow_engine.h"

namespace sealane::faults {
namespace {

using namespace std::chrono_literals;
constexpr size_t kDepth = 8;

// A base, so that it is there before the device and outlives it.
struct EngineHolder {
  SlowEngine engine{kDepth};
};

class SlowEngineFaults : public ::testing::Test, public EngineHolder, public EngineFixture {
 protected:
  SlowEngineFaults() : EngineFixture(EngineHolder::engine) {}
  void TearDown() override { engine.Release(); }

  bool ReachesEngine(size_t count) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (engine.most_in_flight() < count && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    return engine.most_in_flight() == count;
  }
};

TEST_F(SlowEngineFaults, Fault35_EngineTakesEightAtATime_1024SubmittedAll1024Used) {
  for (int round = 0; round < 3; ++round) {
    Submit(kRingSize);
    EXPECT_TRUE(AllServed(Collect(kRingSize), kRingSize)) << round;
  }
  EXPECT_LE(engine.most_in_flight(), kDepth);
}

TEST_F(SlowEngineFaults, Fault35_EngineFull_TheWorkerSleepsAndGoesOnWhenThereIsRoom) {
  engine.Hold();
  Submit(kRingSize);
  EXPECT_TRUE(ReachesEngine(kDepth));
  std::this_thread::sleep_for(20ms);
  EXPECT_LT(CpuMillisecondsWhileIdle(), 60) << "it spins on a full lane";
  EXPECT_TRUE(queue.TakeUsed().empty());
  engine.Release();
  EXPECT_TRUE(AllServed(Collect(kRingSize), kRingSize));
}

TEST_F(SlowEngineFaults, Fault18_CompletedInAnotherOrder_EachInItsOwnPlace) {
  engine.Hold();
  Submit(kDepth);
  EXPECT_TRUE(ReachesEngine(kDepth));
  engine.Release();
  const auto used = Collect(kDepth);
  EXPECT_TRUE(AllServed(used, kDepth));
  EXPECT_NE(used.front().id, 0U) << "the engine did not shuffle them";
}

TEST_F(SlowEngineFaults, Fault15_ClosedWhileInFlight_FinishesThenTheKeyIsGone) {
  engine.Hold();
  Submit(kDepth);
  EXPECT_TRUE(ReachesEngine(kDepth));
  EXPECT_TRUE(device->CloseSession(session));
  EXPECT_EQ(engine.num_sessions(), 1) << "its requests are on their way";
  engine.Release();
  EXPECT_TRUE(AllServed(Collect(kDepth), kDepth));
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (engine.num_sessions() != 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_EQ(engine.num_sessions(), 0) << "nobody asked for anything, and yet it is let go of";
  Submit(1);
  ASSERT_EQ(Collect(1).size(), 1U);
  EXPECT_EQ(chains[0].written().back(), wire::VIRTIO_CRYPTO_INVSESS);
}

TEST_F(SlowEngineFaults, Fault35_StoppedWhileInFlight_EverythingPoppedComesBackFirst) {
  engine.Hold();
  Submit(200);
  EXPECT_TRUE(ReachesEngine(kDepth));
  auto releaser = std::async(std::launch::async, [this] {
    std::this_thread::sleep_for(20ms);
    engine.Release();
  });
  const auto next_avail = device->StopQueue(0);
  ASSERT_TRUE(next_avail.has_value());
  auto used = queue.TakeUsed();
  EXPECT_EQ(used.size(), *next_avail) << "what was popped is back";
  Start(*next_avail);
  kick.Signal();
  const auto rest = Collect(200 - used.size());
  used.insert(used.end(), rest.begin(), rest.end());
  EXPECT_TRUE(AllServed(std::move(used), 200));
}

TEST_F(SlowEngineFaults, Fault35_MemoryReplacedWhileInFlight_NothingIsLost) {
  for (int round = 0; round < 10; ++round) {
    engine.Hold();
    Submit(100);
    EXPECT_TRUE(ReachesEngine(kDepth));
    auto releaser = std::async(std::launch::async, [this] { engine.Release(); });
    device->SetMemory(guest.MapAgain());
    EXPECT_TRUE(AllServed(Collect(100), 100)) << round;
  }
}

}  // namespace
}  // namespace sealane::faults
