// SPDX-License-Identifier: Apache-2.0
//
// SharedChannel: one DataChannel for many threads, each of which runs one request at a time and
// waits for it alone, as lead.h describes. The lock is held while requests are added and finished
// ones are taken, never while the device works. A thread that can have a DataChannel of its own is
// better off with it.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>

#include "sealane/driver/data_channel.h"
#include "sealane/driver/lead.h"
#include "sealane/driver/request.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

class SharedChannel final : private Lead::Ring {
 public:
  // The channel outlives this object and is used through it alone meanwhile.
  explicit SharedChannel(DataChannel& channel) : channel_(channel), lead_(*this) {}

  // One request from start to end, from any thread; waits for a free slot too. Returns the
  // request's status; kUnavailable: it got no slot in time; for kTimeout see DataChannel::Call.
  Status Call(Request& request, std::chrono::nanoseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  // A thread in Call; its request's cookie leads back here until it is done.
  struct Caller {
    Request* request = nullptr;
    Caller* next_done = nullptr;  // in a list of those to be told
    bool is_done = false;         // in such a list
    Waiter waiter;
  };

  void TakeUsed() override;
  void SleepForDevice(Clock::time_point deadline) override;
  Caller* Collect();
  void SubmitWaiting(Caller*& done);
  void Abandon(Caller& caller);
  static void Tell(Caller* done);

  DataChannel& channel_;
  std::mutex mutex_;
  std::deque<Caller*> waiting_;  // for a slot, the first to come first
  Lead lead_;
};

}  // namespace sealane::driver
