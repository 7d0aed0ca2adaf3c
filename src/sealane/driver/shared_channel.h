// SPDX-License-Identifier: Apache-2.0
//
// SharedChannel: one DataChannel for many threads, each of which runs one request at a time. The
// lock is held while requests are added and finished ones are taken, never while the device works;
// of the waiting threads one at a time waits for the device and wakes the others. A thread that can
// have a DataChannel of its own is better off with it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "sealane/driver/data_channel.h"
#include "sealane/driver/request.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

class SharedChannel {
 public:
  // The channel outlives this object and is used through it alone meanwhile.
  explicit SharedChannel(DataChannel& channel) : channel_(channel) {}

  // One request from start to end, from any thread; waits for a free slot too. Returns the
  // request's status; for kTimeout see DataChannel::Call.
  Status Call(Request& request, std::chrono::nanoseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  bool Submit(Lock& lock, Request& request, Clock::time_point deadline);
  void WaitForChange(Lock& lock, Clock::time_point deadline);
  void TakeFinished();

  DataChannel& channel_;
  std::mutex mutex_;
  std::condition_variable changed_;  // a request is done, or a slot free, or nobody leads
  bool leading_ = false;             // a thread waits for the device on behalf of all
};

}  // namespace sealane::driver
