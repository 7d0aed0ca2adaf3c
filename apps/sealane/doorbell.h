// SPDX-License-Identifier: Apache-2.0
//
// Doorbell: one thread sleeps until others have something for it. What they have is kept
// elsewhere: it is there before Ring and looked for after Wait. Wait: one thread; Ring: any.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "sealane/base/futex.h"

namespace sealane::cli {

class Doorbell {
 public:
  // A system call only if the thread sleeps.
  void Ring() {
    if (state_.exchange(kRung, std::memory_order_acq_rel) == kAsleep) FutexWakeOne(&state_);
  }

  // Returns when it was rung since the last Wait returned.
  void Wait() {
    uint32_t expected = kQuiet;
    if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_acq_rel)) {
      // Acquire: pairs with the release in Ring.
      while (state_.load(std::memory_order_acquire) == kAsleep) {
        FutexWait(state_, kAsleep, std::chrono::steady_clock::time_point::max());
      }
    }
    // An exchange, so that whatever was there before a Ring that is taken back here is seen.
    state_.exchange(kQuiet, std::memory_order_acq_rel);
  }

 private:
  static constexpr uint32_t kQuiet = 0;
  static constexpr uint32_t kAsleep = 1;
  static constexpr uint32_t kRung = 2;
  std::atomic<uint32_t> state_{kQuiet};
};

}  // namespace sealane::cli
