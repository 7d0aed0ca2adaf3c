// SPDX-License-Identifier: Apache-2.0
//
// Driver and device over OpenSSL behind an engine queue that is nearly always full.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "loopback_fixture.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/crypto/serial_engine.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::Request;
using driver::Status;
using std::chrono::seconds;

constexpr auto kTimeout = seconds(60);

std::unique_ptr<driver::CryptoDriver> OpenSerial(const crypto::SerialEngine::Options& serial,
                                                 uint32_t num_queues = 1,
                                                 uint16_t queue_size = 256) {
  auto inner = crypto::OpenSslEngine::Create();
  auto engine = crypto::SerialEngine::Create(std::move(*inner), serial);
  auto transport =
      loopback::LoopbackTransport::Create(std::move(*engine), {.num_data_queues = num_queues});
  auto driver = driver::CryptoDriver::Create(std::move(*transport),
                                             {.num_data_queues = 0, .queue_size = queue_size});
  EXPECT_TRUE(driver.has_value()) << (driver ? "" : driver.error().what);
  return std::move(*driver);
}

constexpr crypto::SerialEngine::Options kTiny{.queue_depth = 2, .backlog_depth = 2, .in_flight = 2};

// Submits all of them and waits until each is back; fails the test when one does not come.
void RunAll(driver::DataChannel& channel, std::vector<Request*> requests) {
  std::vector<Request*> done(requests.size());
  size_t num_submitted = 0;
  for (size_t received = 0; received < requests.size();) {
    num_submitted += channel.Submit(std::span(requests).subspan(num_submitted));
    ASSERT_TRUE(channel.Wait(kTimeout)) << received;
    received += channel.Poll(done);
  }
}

TEST(SerialEngine, EveryCipher_AsOpenSsl) {
  for (const size_t in_flight : {size_t{1}, size_t{4}}) {
    const auto driver = OpenSerial({.queue_depth = 2, .backlog_depth = 2, .in_flight = in_flight});
    for (const Algorithm& algorithm : Algorithms()) {
      for (const Operation operation : {Operation::kEncrypt, Operation::kDecrypt}) {
        const Bytes key = Noise(algorithm.key_len, 5);
        const auto session = MustCreate(*driver, algorithm, operation, key);
        std::vector<std::unique_ptr<Job>> jobs;
        std::vector<Request*> requests;
        for (uint32_t i = 0; i < 40; ++i) {
          const size_t len = i == 0 ? 0 : 16 * i * i;
          jobs.push_back(std::make_unique<Job>(algorithm, key, session, operation, len, i));
          requests.push_back(&jobs.back()->request);
        }
        RunAll(driver->channel(0), requests);
        for (const auto& job : jobs) ASSERT_TRUE(job->Right()) << algorithm.name;
        ASSERT_TRUE(driver->CloseSession(session).has_value());
      }
    }
  }
}

TEST(SerialEngine, TinyQueue_2048FromTwoThreadsAllRight) {
  const auto driver = OpenSerial(kTiny, 2);
  std::vector<std::thread> threads(driver->num_channels());
  for (uint32_t t = 0; t < threads.size(); ++t) {
    threads[t] = std::thread([&driver, t] {
      const Algorithm& algorithm = Algorithms()[kAes128Cbc];
      const Bytes key = Noise(16, t);
      const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
      std::vector<std::unique_ptr<Job>> jobs;
      std::vector<Request*> requests;
      for (uint32_t i = 0; i < 1024; ++i) {
        jobs.push_back(
            std::make_unique<Job>(algorithm, key, session, Operation::kEncrypt, 16 * (i % 64), i));
        requests.push_back(&jobs.back()->request);
      }
      RunAll(driver->channel(t), requests);
      for (const auto& job : jobs) ASSERT_TRUE(job->Right());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::atomic<int> num_callbacks;

TEST(SerialEngine, DriverGoneWithEverythingFull_EachDoneOnceInTime) {
  const Algorithm& algorithm = Algorithms()[kAes128Cbc];
  const Bytes key = Noise(16, 1);
  for (uint32_t round = 0; round < 10; ++round) {
    auto driver = OpenSerial(kTiny, 1, 64);
    const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
    std::vector<std::unique_ptr<Job>> jobs(64);
    std::vector<Request*> requests;
    num_callbacks = 0;
    for (auto& job : jobs) {
      job = std::make_unique<Job>(algorithm, key, session, Operation::kEncrypt, 65536, round);
      job->request.on_done = [](Request&) { ++num_callbacks; };
      requests.push_back(&job->request);
    }
    ASSERT_EQ(driver->channel(0).Submit(requests), 64U);
    const auto start = std::chrono::steady_clock::now();
    driver.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(15));
    EXPECT_EQ(num_callbacks, 64);
    for (const auto& job : jobs) {
      EXPECT_TRUE(job->Right() || job->request.status == Status::kCanceled);
    }
  }
}

}  // namespace
}  // namespace sealane::loopback_test
