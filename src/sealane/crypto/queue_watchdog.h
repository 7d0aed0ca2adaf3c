// SPDX-License-Identifier: Apache-2.0
//
// QueueWatchdog: a thread that tells an EngineQueue the time, so that deadlines pass also when
// everybody sleeps. While the queue has nothing to expire the thread sleeps, too. Owned beside the
// queue, gone before it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sealane/crypto/engine_queue.h"

namespace sealane::crypto {

class QueueWatchdog {
 public:
  // Deadlines are noticed up to `period` late.
  QueueWatchdog(EngineQueue& queue, QueueClock::duration period);
  ~QueueWatchdog();

  // After jobs were submitted; any thread. One atomic load while the thread is awake.
  void Poke() {
    // Relaxed: the queue's lock orders it. If the watchdog looked at the queue before the job was
    // in it, it had cleared the flag before that, and we see that.
    if (!is_awake_.load(std::memory_order_relaxed)) WakeUp();
  }

 private:
  void WakeUp();
  void Run();

  EngineQueue& queue_;
  const QueueClock::duration period_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;                  // under the mutex
  std::atomic<bool> is_awake_{false};  // written under the mutex
  std::thread thread_;
};

}  // namespace sealane::crypto
