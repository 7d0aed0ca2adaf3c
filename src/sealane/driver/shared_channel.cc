// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/shared_channel.h"

#include <array>
#include <bit>
#include <thread>
#include <utility>

namespace sealane::driver {
namespace {

// How many finished requests are taken at once.
constexpr size_t kBatch = 32;

}  // namespace

Status SharedChannel::Call(Request& request, std::chrono::nanoseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  Caller caller;
  caller.request = &request;
  const uint64_t cookie = std::exchange(request.cookie, std::bit_cast<uint64_t>(&caller));
  Caller* done = nullptr;
  {
    const Lock lock(mutex_);
    waiting_.push_back(&caller);
    SubmitWaiting(done);
  }
  Tell(done);
  lead_.Await(caller.waiter, deadline);
  if (!caller.waiter.done()) Abandon(caller);
  request.cookie = cookie;
  return request.status;
}

void SharedChannel::TakeUsed() {
  if (channel_.HasUsed()) Tell(Collect());
}

void SharedChannel::SleepForDevice(Clock::time_point deadline) {
  channel_.SleepForDevice(deadline);
  if (channel_.HasUsed()) return;
  {
    const Lock lock(mutex_);
    channel_.CheckDevice();
    if (!channel_.error()) return;
  }
  Tell(Collect());
}

// Takes what is finished and gives the slots to those who wait for one.
SharedChannel::Caller* SharedChannel::Collect() {
  Caller* done = nullptr;
  const Lock lock(mutex_);
  std::array<Request*, kBatch> finished;
  while (const size_t num = channel_.Poll(finished)) {
    for (const Request* const request : std::span(finished).first(num)) {
      auto* const caller = std::bit_cast<Caller*>(request->cookie);
      caller->is_done = true;
      caller->next_done = std::exchange(done, caller);
    }
  }
  SubmitWaiting(done);
  return done;
}

void SharedChannel::SubmitWaiting(Caller*& done) {
  while (!waiting_.empty()) {
    Caller* const caller = waiting_.front();
    Request* const request = caller->request;
    const bool taken = channel_.Submit({&request, 1}) == 1;
    if (!taken && !channel_.error()) return;  // full
    waiting_.pop_front();
    if (taken && request->status == Status::kPending) continue;
    if (taken) channel_.Abandon(*request);  // not expressible: it is done at once
    if (!taken) request->status = Status::kBroken;
    caller->is_done = true;
    caller->next_done = std::exchange(done, caller);
  }
}

// The deadline has passed.
void SharedChannel::Abandon(Caller& caller) {
  Lock lock(mutex_);
  if (caller.is_done) {  // just now; whoever took the answer is about to say so
    lock.unlock();
    while (!caller.waiter.done()) std::this_thread::yield();
    return;
  }
  if (std::erase(waiting_, &caller) != 0) {
    caller.request->status = Status::kUnavailable;
  } else {
    channel_.Abandon(*caller.request);
  }
}

// Without the lock: a caller may be gone right after.
void SharedChannel::Tell(Caller* done) {
  while (done != nullptr) std::exchange(done, done->next_done)->waiter.SetDone();
}

}  // namespace sealane::driver
