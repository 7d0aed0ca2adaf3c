// SPDX-License-Identifier: Apache-2.0
//
// SerialEngine: makes of any engine one that behaves like a small piece of hardware: one thread
// takes one operation at a time from an EngineQueue, runs it through the inner engine's lane and
// finishes it through the queue. For machines where an engine must not be used by several threads,
// and as the queue's first user. Threads as in Engine.
//
// An operation that the inner engine never finishes fails after the timeout; its memory is not
// touched any more (serial_target.h).
#pragma once

#include <chrono>
#include <memory>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/queue_watchdog.h"
#include "sealane/crypto/serial_target.h"

namespace sealane::crypto {

class SerialEngine final : public Engine {
 public:
  struct Options {
    size_t queue_depth = 64;  // of each lane; at least 1
    size_t backlog_depth = 64;
    size_t in_flight = 4;   // handed to the thread at once; at least 1
    size_t wake_batch = 8;  // QueueClient::Share
    QueueClock::duration timeout = std::chrono::seconds(10);  // of an operation
    LockKind lock = LockKind::kMutex;
  };
  static constexpr size_t kMaxLanes = 64;

  static Result<std::unique_ptr<SerialEngine>> Create(std::unique_ptr<Engine> inner,
                                                      const Options& options);
  ~SerialEngine() override;

  const EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) override;
  Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) override;

  EngineQueue::Stats stats() const { return queue_.stats(); }

 private:
  SerialEngine(std::unique_ptr<Engine> inner, const Options& options);

  const std::unique_ptr<Engine> inner_;
  const Options options_;
  const EngineCaps caps_;
  SerialTarget target_;
  EngineQueue queue_;
  QueueWatchdog watchdog_;
};

}  // namespace sealane::crypto
