// SPDX-License-Identifier: Apache-2.0
//
// RingControlPath with many operations under way: batches, callbacks, many threads that sleep, a
// device that is slow, lies or goes away.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "sealane/driver/fake_device.h"
#include "sealane/driver/ring_control_path.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

using std::chrono::milliseconds;
using Clock = ControlPath::Clock;

constexpr std::array<uint8_t, 16> kKey{9, 9, 9};
constexpr CipherSessionParams kParams{wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kEncrypt,
                                      kKey};

Clock::time_point In(milliseconds time) { return Clock::now() + time; }

std::vector<SessionOp> Creates(size_t num) {
  return std::vector<SessionOp>(num, SessionOp{.params = kParams});
}

// A device with a thread of its own, which can be slow.
class SlowDevice {
 public:
  explicit SlowDevice(std::chrono::microseconds pause) : pause_(pause) {
    device.SetScript([this](FakeDevice&, uint16_t) { kicked_.store(true); });
    thread_ = std::thread([this] { Run(); });
  }
  ~SlowDevice() { Stop(); }
  void Stop() {
    stop_.store(true);
    if (thread_.joinable()) thread_.join();
  }
  FakeDevice device{{}};

 private:
  void Run() {
    while (!stop_.load()) {
      std::this_thread::sleep_for(pause_);
      if (!kicked_.exchange(false)) continue;
      device.ServeControl();
      device.Interrupt(device.control_index());
    }
  }
  const std::chrono::microseconds pause_;
  std::atomic<bool> kicked_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class ControlAsync : public ::testing::Test {
 protected:
  void Serve() {
    device.SetScript([this](FakeDevice& fake, uint16_t) {
      const std::lock_guard lock(mutex);
      fake.ServeControl();
    });
  }
  FakeDevice device{{}};
  std::mutex mutex;
  std::unique_ptr<RingControlPath> path = std::move(*RingControlPath::Create(device));
};

TEST_F(ControlAsync, Batch_OfManyMoreThanTheRingHolds_EachItsOwnAnswer) {
  Serve();
  auto ops = Creates(1000);
  path->Run(ops, In(milliseconds(20000)));
  std::set<SessionId> ids;
  for (SessionOp& op : ops) {
    ASSERT_EQ(op.status, Status::kOk);
    EXPECT_TRUE(ids.insert(op.session).second);
    op.kind = SessionOp::Kind::kClose;
  }
  EXPECT_EQ(device.live_sessions(), 1000);
  path->Run(ops, In(milliseconds(20000)));
  for (const SessionOp& op : ops) ASSERT_EQ(op.status, Status::kOk);
  EXPECT_EQ(device.live_sessions(), 0);
  EXPECT_LT(device.num_kicks(), 2000 / 10) << "a doorbell for each is no batch";
}

TEST_F(ControlAsync, Batch_BadOnesAmongGood_EachItsOwnStatus) {
  Serve();
  auto ops = Creates(4);
  ops[1].params = CipherSessionParams{3, Operation::kEncrypt, {}};
  ops[3].params = MacSessionParams{4, 32, {}};
  path->Run(ops, In(milliseconds(20000)));
  EXPECT_EQ(ops[0].status, Status::kOk);
  EXPECT_EQ(ops[1].status, Status::kInvalidArgument);
  EXPECT_EQ(ops[2].status, Status::kOk);
  EXPECT_EQ(ops[3].status, Status::kInvalidArgument);
}

TEST_F(ControlAsync, Batch_DeadlineWithSomeUnsent_AllTimeOut) {
  auto ops = Creates(500);  // nobody answers
  path->Run(ops, In(milliseconds(5)));
  for (const SessionOp& op : ops) ASSERT_EQ(op.status, Status::kTimeout);
}

TEST_F(ControlAsync, Started_CallbackStartsAgainAndCloses_EachOnce) {
  Serve();
  struct Chain {
    RingControlPath* path;
    int created = 0;
    int closed = 0;
    SessionOp op{};
  } chain{.path = path.get()};
  chain.op.params = kParams;
  chain.op.cookie = std::bit_cast<uint64_t>(&chain);
  chain.op.on_done = [](SessionOp& op) {
    auto& self = *std::bit_cast<Chain*>(op.cookie);
    ASSERT_EQ(op.status, Status::kOk);
    const bool was_create = op.kind == SessionOp::Kind::kCreate;
    ++(was_create ? self.created : self.closed);
    op.kind = was_create ? SessionOp::Kind::kClose : SessionOp::Kind::kCreate;
    SessionOp* const again[] = {&op};
    if (self.closed < 50) {
      EXPECT_EQ(self.path->Start(again), 1U);
    }
  };
  SessionOp* const first[] = {&chain.op};
  ASSERT_EQ(path->Start(first), 1U);
  while (path->Wait(In(milliseconds(20000)))) path->Poll();
  EXPECT_EQ(chain.created, 50);
  EXPECT_EQ(chain.closed, 50);
  EXPECT_EQ(device.live_sessions(), 0);
}

TEST_F(ControlAsync, Started_MoreThanTheRingHolds_TakesTheFirst) {
  auto ops = Creates(1000);
  std::vector<SessionOp*> pointers;
  for (SessionOp& op : ops) pointers.push_back(&op);
  const size_t taken = path->Start(pointers);
  EXPECT_GT(taken, 16U);
  EXPECT_LT(taken, 1000U);
  EXPECT_EQ(path->Start(pointers), 0U);
  EXPECT_EQ(path->Poll(), 0U);
  EXPECT_FALSE(path->Wait(In(milliseconds(2))));
  path.reset();
  for (size_t i = 0; i < taken; ++i) ASSERT_EQ(ops[i].status, Status::kCanceled) << i;
}

TEST_F(ControlAsync, Callback_ShutsDown_TheRestIsCanceledOnce) {
  Serve();
  static int num_canceled;
  static RingControlPath* the_path;
  num_canceled = 0;
  the_path = path.get();
  auto ops = Creates(10);
  for (SessionOp& op : ops) {
    op.on_done = [](SessionOp& self) {
      num_canceled += self.status == Status::kCanceled ? 1 : 0;
      the_path->Shutdown();
    };
  }
  std::vector<SessionOp*> pointers;
  for (SessionOp& op : ops) pointers.push_back(&op);
  ASSERT_EQ(path->Start(std::span(pointers).first(1)), 1U);
  EXPECT_EQ(path->Poll(), 1U);
  EXPECT_EQ(path->Start(std::span(pointers).subspan(1)), 9U);
  EXPECT_EQ(path->Poll(), 9U);
  EXPECT_EQ(num_canceled, 9);
  EXPECT_EQ(path->Poll(), 0U);
}

// Longer than any looking around: they sleep, and take turns in leading.
TEST(ControlSleepers, SlowDevice_ManyThreads_NoneLost) {
  SlowDevice slow(std::chrono::microseconds(300));
  const auto path = std::move(*RingControlPath::Create(slow.device));
  std::mutex mutex;
  std::set<SessionId> ids;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        SessionOp op{.params = kParams};
        path->Run({&op, 1}, In(milliseconds(60000)));
        ASSERT_EQ(op.status, Status::kOk);
        const std::lock_guard lock(mutex);
        ASSERT_TRUE(ids.insert(op.session).second);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids.size(), 800U);
  slow.Stop();
}

TEST(ControlSleepers, TinyDeadlines_SlowDevice_ResultOrTimeoutAndNoSessionStays) {
  SlowDevice slow(std::chrono::microseconds(200));
  auto path = std::move(*RingControlPath::Create(slow.device));
  std::atomic<int> open{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        SessionOp op{.params = kParams};
        path->Run({&op, 1}, Clock::now() + std::chrono::microseconds(50 * ((i + t) % 12)));
        if (op.status == Status::kOk) {
          ++open;
        } else {
          ASSERT_EQ(op.status, Status::kTimeout);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // The closes of those that came too late go out with the next calls.
  for (int i = 0; i < 50; ++i) {
    SessionOp op{.params = kParams};
    path->Run({&op, 1}, In(milliseconds(60000)));
    ASSERT_EQ(op.status, Status::kOk);
    op.kind = SessionOp::Kind::kClose;
    path->Run({&op, 1}, In(milliseconds(60000)));
    ASSERT_EQ(op.status, Status::kOk);
  }
  slow.Stop();
  path.reset();
  EXPECT_EQ(slow.device.live_sessions(), open.load());
}

enum class End { kShutdown, kUnplug, kLie };
class ControlEnd : public ::testing::TestWithParam<End> {};

// Everything full: the ring, threads that wait for room, and operations that were started.
TEST_P(ControlEnd, EverythingFull_EachWaiterAndEachOperationEndsOnce) {
  FakeDevice device{{}};
  const auto path = std::move(*RingControlPath::Create(device));
  static std::atomic<int> num_called;
  num_called = 0;
  auto started = Creates(20);
  std::vector<SessionOp*> pointers;
  for (SessionOp& op : started) {
    op.on_done = [](SessionOp&) { ++num_called; };
    pointers.push_back(&op);
  }
  ASSERT_EQ(path->Start(pointers), 20U);
  const Status expected = GetParam() == End::kShutdown ? Status::kCanceled : Status::kBroken;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      auto ops = Creates(40);
      path->Run(ops, In(milliseconds(60000)));
      for (const SessionOp& op : ops) ASSERT_EQ(op.status, expected);
    });
  }
  std::this_thread::sleep_for(milliseconds(20));
  const auto start = Clock::now();
  if (GetParam() == End::kShutdown) path->Shutdown();
  if (GetParam() == End::kUnplug) device.BreakQueue(device.control_index());
  if (GetParam() == End::kLie) {
    device.Use(device.control_index(), 0xffff, 16);
    device.Interrupt(device.control_index());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  path->Poll();
  EXPECT_EQ(num_called, 20);
  for (const SessionOp& op : started) EXPECT_EQ(op.status, expected);
  SessionOp late{.params = kParams};
  path->Run({&late, 1}, In(milliseconds(60000)));
  EXPECT_EQ(late.status, expected);
}

INSTANTIATE_TEST_SUITE_P(Ways, ControlEnd,
                         ::testing::Values(End::kShutdown, End::kUnplug, End::kLie));

TEST_F(ControlAsync, Shutdown_WakesTheOneInWait) {
  auto ops = Creates(1);
  SessionOp* const pointers[] = {&ops[0]};
  ASSERT_EQ(path->Start(pointers), 1U);
  std::thread waiter([&] { EXPECT_TRUE(path->Wait(In(milliseconds(60000)))); });
  std::this_thread::sleep_for(milliseconds(5));
  path->Shutdown();
  waiter.join();
  EXPECT_EQ(path->Poll(), 1U);
  EXPECT_EQ(ops[0].status, Status::kCanceled);
}

TEST_F(ControlAsync, LargeKey_GoesInMemoryOfItsOwn_AndIsWiped) {
  const std::vector<uint8_t> key(500, 0xc3);
  std::vector<uint8_t> seen;
  device.SetScript([&](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    seen = chain->ReadAll();
    FinishChain(fake, index, *chain, {}, 3);
  });
  SessionOp op{.params = MacSessionParams{.algorithm = 4, .result_len = 32, .key = key}};
  path->Run({&op, 1}, In(milliseconds(20000)));
  EXPECT_EQ(op.status, Status::kBadReply);  // one byte is no answer to a create request
  ASSERT_EQ(seen.size(), 572U);
  EXPECT_TRUE(std::equal(key.begin(), key.end(), seen.begin() + 72));
  const std::span<const uint8_t> all(device.memory()->data(), 1 << 20);
  EXPECT_TRUE(std::ranges::search(all, std::span(key).first(16)).empty());
}

}  // namespace
}  // namespace sealane::driver
