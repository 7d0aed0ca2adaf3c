// SPDX-License-Identifier: Apache-2.0
//
// Several threads, sessions that come and go, and shutting down in the middle of it all.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "loopback_fixture.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/driver/shared_channel.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::Request;
using driver::Status;
using std::chrono::seconds;

constexpr auto kTimeout = seconds(60);
const Algorithm& Cbc() { return Algorithms()[kAes128Cbc]; }

TEST(Threads, OneQueueEach_SessionsOfTheirOwn_AllRight) {
  constexpr uint32_t kQueues = 4;
  const auto driver = OpenLoopback({.num_data_queues = kQueues}, {.num_data_queues = 0});
  ASSERT_EQ(driver->num_channels(), kQueues);
  std::vector<std::thread> threads(kQueues);
  for (uint32_t t = 0; t < kQueues; ++t) {
    threads[t] = std::thread([&driver, t] {
      for (const Algorithm& algorithm : Algorithms()) {
        const Bytes key = Noise(algorithm.key_len, t);
        const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
        for (uint32_t i = 0; i < 20; ++i) {
          Job job(algorithm, key, session, Operation::kEncrypt, 16 * (i + 1), i);
          driver->channel(t).Call(job.request, kTimeout);
          ASSERT_TRUE(job.Right()) << algorithm.name << ToString(job.request.status);
        }
        ASSERT_TRUE(driver->CloseSession(session).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// faults.md, device 27; driver 8.
TEST(Threads, ThirtyTwoOnOneQueue_NoneLostNoneDoubled) {
  const auto driver = OpenLoopback({}, {.queue_size = 16});
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
  driver::SharedChannel shared(driver->channel(0));
  std::atomic<int> num_right = 0;
  std::vector<std::thread> threads(32);
  for (uint32_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&, t] {
      Job job(Cbc(), key, session, Operation::kEncrypt, 64, t);
      for (int i = 0; i < 200; ++i) {
        std::ranges::fill(job.dst, uint8_t{0});
        shared.Call(job.request, kTimeout);
        if (job.Right()) ++num_right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 32 * 200);
  EXPECT_EQ(driver->channel(0).in_flight(), 0U);
}

// faults.md, device 32.
TEST(Threads, EightCreatingAndClosing_DataGoesOn) {
  const auto driver = OpenLoopback();
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
  std::vector<std::thread> threads(8);
  std::atomic<int> num_done = 0;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 100; ++i) {
        const auto own = MustCreate(*driver, Cbc(), Operation::kDecrypt, key);
        ASSERT_TRUE(driver->CloseSession(own).has_value());
        ++num_done;
      }
    });
  }
  Job job(Cbc(), key, session, Operation::kEncrypt, 256, 1);
  int num_right = 0;
  do {
    driver->channel(0).Call(job.request, kTimeout);
    ASSERT_TRUE(job.Right());
    ++num_right;
  } while (num_done < 800);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(num_right, 0);
}

TEST(Sessions, ClosedWhileInFlight_ResultOrInvalidSession) {
  const auto driver = OpenLoopback();
  const Bytes key = Noise(16, 1);
  for (uint32_t round = 0; round < 100; ++round) {
    const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
    std::vector<std::unique_ptr<Job>> jobs(64);
    std::vector<Request*> list;
    for (auto& job : jobs) {
      job = std::make_unique<Job>(Cbc(), key, session, Operation::kEncrypt, 1024, round);
      list.push_back(&job->request);
    }
    ASSERT_EQ(driver->channel(0).Submit(list), list.size());
    ASSERT_TRUE(driver->CloseSession(session).has_value());
    for (size_t received = 0; received < list.size();) {
      ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
      received += driver->channel(0).Poll(list);
    }
    for (const auto& job : jobs) {
      ASSERT_TRUE(job->Right() || job->request.status == Status::kInvalidSession)
          << ToString(job->request.status);
    }
  }
}

std::atomic<int> num_callbacks;

// faults.md, device 30; driver 9: 64 requests in flight, sessions open.
TEST(Shutdown, With64InFlightAndLiveSessions_EachDoneOnce) {
  for (uint32_t round = 0; round < 20; ++round) {
    auto driver = OpenLoopback({}, {.queue_size = 64});
    const Bytes key = Noise(16, 1);
    const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
    for (uint32_t i = 0; i < round; ++i) MustCreate(*driver, Cbc(), Operation::kDecrypt, key);
    std::vector<std::unique_ptr<Job>> jobs(64);
    std::vector<Request*> list;
    num_callbacks = 0;
    for (auto& job : jobs) {
      job = std::make_unique<Job>(Cbc(), key, session, Operation::kEncrypt, 4096, round);
      job->request.on_done = [](Request&) { ++num_callbacks; };
      list.push_back(&job->request);
    }
    ASSERT_EQ(driver->channel(0).Submit(list), 64U);
    driver.reset();
    EXPECT_EQ(num_callbacks, 64);
    for (const auto& job : jobs) {
      EXPECT_TRUE(job->Right() || job->request.status == Status::kCanceled)
          << ToString(job->request.status);
    }
  }
}

// faults.md, driver, last line: a deadline that expires as the answer comes.
TEST(Deadlines, TinyOnes_ResultOrTimeoutAndQueueGoesOn) {
  const auto driver = OpenLoopback({}, {.queue_size = 16});
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
  for (int i = 0; i < 2000; ++i) {
    Job job(Cbc(), key, session, Operation::kEncrypt, 64, 1);
    const Status status = driver->channel(0).Call(job.request, std::chrono::microseconds(i % 40));
    const bool gave_up = status == Status::kTimeout || status == Status::kUnavailable;
    ASSERT_TRUE(job.Right() || gave_up) << ToString(status);
  }
  // Slots whose callers gave up come back without anybody polling for them.
  Job job(Cbc(), key, session, Operation::kEncrypt, 64, 1);
  const auto deadline = std::chrono::steady_clock::now() + kTimeout;
  while (driver->channel(0).Call(job.request, kTimeout) == Status::kUnavailable) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
  }
  EXPECT_TRUE(job.Right());
}

TEST(LoopbackTransport, StartQueue_TwiceOrUnknown_Refused) {
  auto engine = crypto::OpenSslEngine::Create();
  const auto transport = loopback::LoopbackTransport::Create(std::move(*engine), {}).value();
  const auto queue = driver::CreateQueue(*transport, 4).value();
  EXPECT_TRUE(transport->StartQueue(0, queue.location).has_value());
  EXPECT_FALSE(transport->StartQueue(0, queue.location).has_value());
  EXPECT_FALSE(transport->StartQueue(2, queue.location).has_value());
  EXPECT_TRUE(transport->StopQueue(0).has_value());
  EXPECT_TRUE(transport->StopQueue(0).has_value());
  EXPECT_TRUE(transport->StartQueue(0, queue.location).has_value());
}

// faults.md, device 23 and 31: callbacks that submit again and make and close sessions.
struct Reentrant {
  static inline driver::CryptoDriver* driver = nullptr;
  static inline Bytes key;
  static inline int num_left = 0;
  static inline int num_sessions = 0;

  static void OnDone(Request& done) {
    ASSERT_EQ(done.status, Status::kOk);
    ASSERT_TRUE(driver->CloseSession(done.session).has_value());
    if (num_left == 0) return;
    --num_left;
    ++num_sessions;
    done.session = MustCreate(*driver, Cbc(), Operation::kEncrypt, key);
    Request* const again = &done;
    ASSERT_EQ(driver->channel(0).Submit({&again, 1}), 1U);
  }
};

TEST(Callbacks, ResubmitWithNewSession_NoDeadlockAllRight) {
  const auto driver = OpenLoopback();
  Reentrant::driver = driver.get();
  Reentrant::key = Noise(16, 3);
  Reentrant::num_left = 200;
  std::vector<std::unique_ptr<Job>> jobs(8);
  for (auto& job : jobs) {
    const auto session = MustCreate(*driver, Cbc(), Operation::kEncrypt, Reentrant::key);
    job = std::make_unique<Job>(Cbc(), Reentrant::key, session, Operation::kEncrypt, 128, 1);
    job->request.on_done = &Reentrant::OnDone;
    Request* const request = &job->request;
    ASSERT_EQ(driver->channel(0).Submit({&request, 1}), 1U);
  }
  size_t total = 0;
  while (total < 208) {
    ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
    total += driver->channel(0).Dispatch(3);
  }
  EXPECT_EQ(Reentrant::num_sessions, 200);
  for (const auto& job : jobs) EXPECT_TRUE(job->Right());
}

}  // namespace
}  // namespace sealane::loopback_test
