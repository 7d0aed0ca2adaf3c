// SPDX-License-Identifier: Apache-2.0
//
// Worker: a thread that runs a Runner until there is nothing to do, polls while that pays, then
// arms, re-checks and sleeps until a kick, a finished op or a message. Changes come through
// Execute, at a quiet point. The constructor starts the thread, the destructor ends it; Execute,
// Watch, Unwatch and Wake may be called from any other thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/crypto/engine.h"
#include "sealane/device/runner.h"
#include "sealane/device/spin_policy.h"

namespace sealane::device {

class Worker final : public crypto::Waker {
 public:
  // `poll` is how long it may poll before it sleeps; zero means never.
  static Result<std::unique_ptr<Worker>> Create(std::chrono::microseconds poll);
  ~Worker() override;

  // The runner outlives the worker, or the next Start.
  void Start(Runner& runner);
  // Ends the thread after draining the runner.
  void Stop();

  // Runs `change` on the worker's thread with nothing in flight, and waits until it is done.
  void Execute(const std::function<void()>& change);

  // Wakes up when this descriptor is readable; the runner drains it. Fails for what cannot be
  // watched.
  Result<void> Watch(int fd);
  void Unwatch(int fd);

  void Wake() override { wake_.Signal(); }

 private:
  explicit Worker(std::chrono::microseconds poll) : spin_(poll) {}
  void Run();
  bool Spin();
  void Sleep();
  void RunMailbox();

  SpinPolicy spin_;
  UniqueFd epoll_;
  EventFd wake_;
  Runner* runner_ = nullptr;
  std::atomic<bool> has_mail_{false};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::vector<std::function<void()>> mailbox_;
  std::thread thread_;
};

}  // namespace sealane::device
