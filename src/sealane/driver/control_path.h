// SPDX-License-Identifier: Apache-2.0
//
// ControlPath: how sessions come and go. Two implementations: RingControlPath (the control queue,
// virtio 1.3, 5.9.7.2) and MessageControlPath (vhost-user messages). Run and Start: any thread, at
// once. Poll and Wait: one thread at a time. A call that fails leaves the path usable unless it is
// broken.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include "sealane/driver/session_op.h"

namespace sealane::driver {

class ControlPath {
 public:
  using Clock = std::chrono::steady_clock;
  virtual ~ControlPath() = default;

  // Does all of them, as many at once as the device takes, and returns when each has its status:
  // kTimeout for those not done at the deadline. A session that is made too late is closed again.
  virtual void Run(std::span<SessionOp> ops, Clock::time_point deadline) = 0;

  // Begins the first n, as many as there is room for, and returns n. Their on_done comes from Poll.
  virtual size_t Start(std::span<SessionOp* const> ops) = 0;

  // Calls on_done of what was started and is done by now, and returns how many.
  virtual size_t Poll() = 0;

  // Sleeps until Poll has something, or the deadline. False: nothing (also if nothing was started).
  virtual bool Wait(Clock::time_point deadline) = 0;

  // Ends whatever is under way with kCanceled, and every later call. Any thread.
  virtual void Shutdown() = 0;
};

}  // namespace sealane::driver
