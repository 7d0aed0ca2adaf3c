// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/queue_lock.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace sealane::crypto {
namespace {

TEST(QueueLock, BothKinds_OneAtATime) {
  for (const LockKind kind : {LockKind::kMutex, LockKind::kSpin}) {
    QueueLock lock(kind);
    int count = 0;
    std::vector<std::thread> threads(4);
    for (std::thread& thread : threads) {
      thread = std::thread([&] {
        for (int i = 0; i < 10'000; ++i) {
          const std::lock_guard guard(lock);
          ++count;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(count, 40'000);
    QueueLock::CheckNoneHeld();
  }
}

TEST(QueueLockDeathTest, CallOutUnderTheLock_EndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  QueueLock lock(LockKind::kSpin);
  EXPECT_DEATH(
      {
        lock.lock();
        QueueLock::CheckNoneHeld();
      },
      "check failed");
}

}  // namespace
}  // namespace sealane::crypto
