// SPDX-License-Identifier: Apache-2.0
//
// Runner: what a Worker's thread runs. Two of them: DataRunner (data queues and their lane) and
// ControlRunner (the control queue). All calls come from the worker's thread.
#pragma once

#include <cstddef>

namespace sealane::device {

class Runner {
 public:
  virtual ~Runner() = default;

  // Does what there is to do now; returns how many requests were taken or finished (0: nothing to
  // do).
  virtual size_t RunOnce() = 0;

  // Before sleeping: asks all drivers for kicks. Returns whether there is work already. After
  // waking up: says that kicks are not needed.
  virtual bool Arm() = 0;
  virtual void Disarm() = 0;

  // Finishes everything in flight, so that queues, memory and sessions may change.
  virtual void Drain() = 0;
};

}  // namespace sealane::device
