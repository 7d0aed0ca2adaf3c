// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/queue_watchdog.h"

namespace sealane::crypto {

QueueWatchdog::QueueWatchdog(EngineQueue& queue, QueueClock::duration period)
    : queue_(queue), period_(period), thread_([this] { Run(); }) {}

QueueWatchdog::~QueueWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void QueueWatchdog::WakeUp() {
  {
    const std::lock_guard lock(mutex_);
    is_awake_.store(true, std::memory_order_relaxed);
  }
  changed_.notify_one();
}

void QueueWatchdog::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || is_awake_.load(std::memory_order_relaxed); });
    // Awake for a period at least, so that a queue which is empty now and then does not wake us
    // each time.
    if (changed_.wait_for(lock, period_, [this] { return stop_; })) return;
    // Cleared before the queue is looked at: whoever submits after that pokes again.
    is_awake_.store(false, std::memory_order_relaxed);
    lock.unlock();
    const bool is_needed = queue_.Expire(QueueClock::now());
    lock.lock();
    if (is_needed) is_awake_.store(true, std::memory_order_relaxed);
  }
}

}  // namespace sealane::crypto
