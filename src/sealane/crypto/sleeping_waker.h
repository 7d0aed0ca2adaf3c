// SPDX-License-Identifier: Apache-2.0
//
// For tests: a waker whose thread sleeps until it is woken. Wake on any thread, Sleep on one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "sealane/crypto/engine.h"

namespace sealane::crypto {

class SleepingWaker final : public Waker {
 public:
  void Wake() override {
    {
      const std::lock_guard lock(mutex_);
      is_woken_ = true;
    }
    changed_.notify_one();
  }
  // False: nobody woke it in time.
  [[nodiscard]] bool Sleep() {
    std::unique_lock lock(mutex_);
    const bool in_time =
        changed_.wait_for(lock, std::chrono::seconds(30), [this] { return is_woken_; });
    is_woken_ = false;
    return in_time;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_woken_ = false;
};

}  // namespace sealane::crypto
