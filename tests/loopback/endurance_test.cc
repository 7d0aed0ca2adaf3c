// SPDX-License-Identifier: Apache-2.0
//
// Long runs: sessions made and closed, and threads on one queue. SEALANE_ENDURANCE_OPS says how
// many operations, 100,000 without it; `make test-long` asks for a million.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "loopback_fixture.h"
#include "sealane/driver/shared_channel.h"
#include "sealane/testing/process_memory.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::SessionOp;
using driver::Status;
using std::chrono::seconds;

constexpr seconds kTimeout{120};

int NumOps() {
  const char* const text = std::getenv("SEALANE_ENDURANCE_OPS");
  return text == nullptr ? 100'000 : std::stoi(text);
}

// Makes and closes `num` sessions, many at once.
void Churn(driver::CryptoDriver& driver, std::span<const uint8_t> key, int num) {
  std::vector<SessionOp> ops(100);
  for (int i = 0; i < num; i += 100) {
    for (SessionOp& op : ops) {
      op.kind = SessionOp::Kind::kCreate;
      op.params =
          driver::CipherSessionParams{Algorithms()[kAes128Cbc].id, Operation::kEncrypt, key};
    }
    driver.RunSessionOps(ops, kTimeout);
    for (SessionOp& op : ops) {
      ASSERT_EQ(op.status, Status::kOk);
      op.kind = SessionOp::Kind::kClose;
    }
    driver.RunSessionOps(ops, kTimeout);
    for (const SessionOp& op : ops) ASSERT_EQ(op.status, Status::kOk);
  }
}

TEST(Endurance, SessionsMadeAndClosed_MemoryStaysFlat) {
  const auto driver = OpenLoopback();
  const Bytes key = Noise(16, 1);
  Churn(*driver, key, NumOps() / 10);
  const uint64_t before = testing::AnonymousKiB();
  Churn(*driver, key, NumOps());
  // Sanitizers keep freed memory for a while, but there is nothing to free per session.
  EXPECT_LE(testing::AnonymousKiB(), before + 1024);
}

TEST(Endurance, ThirtyTwoThreadsOnOneQueue_NoneLostNoneDoubled) {
  const auto driver = OpenLoopback({}, {.queue_size = 64});
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, Algorithms()[kAes128Cbc], Operation::kEncrypt, key);
  driver::SharedChannel shared(driver->channel(0));
  const int per_thread = NumOps() / 32;
  std::atomic<int> num_right = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 32; ++t) {
    threads.emplace_back([&, t] {
      Job job(Algorithms()[kAes128Cbc], key, session, Operation::kEncrypt, 64, t);
      for (int i = 0; i < per_thread; ++i) {
        std::ranges::fill(job.dst, uint8_t{0});
        shared.Call(job.request, kTimeout);
        if (job.Right()) ++num_right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 32 * per_thread);
  EXPECT_EQ(driver->channel(0).in_flight(), 0U);
}

}  // namespace
}  // namespace sealane::loopback_test
