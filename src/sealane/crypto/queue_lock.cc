// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/queue_lock.h"

#include <thread>

#include "sealane/base/check.h"
#include "sealane/base/cpu_relax.h"

namespace sealane::crypto {
namespace {

thread_local int num_held = 0;

}  // namespace

void QueueLock::lock() {
  if (kind_ == LockKind::kMutex) {
    mutex_.lock();
  } else {
    LockSpinning();
  }
  ++num_held;
}

void QueueLock::unlock() {
  --num_held;
  if (kind_ == LockKind::kMutex) {
    mutex_.unlock();
  } else {
    spin_.clear(std::memory_order_release);  // pairs with the acquire in LockSpinning
  }
}

void QueueLock::LockSpinning() {
  // In user space the holder may have lost its processor: after this many turns it can have ours.
  constexpr int kTurnsBeforeYield = 100;
  int turns = 0;
  // Acquire: pairs with the release in unlock.
  while (spin_.test_and_set(std::memory_order_acquire)) {
    while (spin_.test(std::memory_order_relaxed)) {
      CpuRelax();
      if (++turns % kTurnsBeforeYield == 0) std::this_thread::yield();
    }
  }
}

void QueueLock::CheckNoneHeld() { SL_CHECK(num_held == 0); }

}  // namespace sealane::crypto
