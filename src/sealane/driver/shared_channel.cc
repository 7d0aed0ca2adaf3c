// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/shared_channel.h"

#include <array>

namespace sealane::driver {
namespace {

// How many finished requests are taken at once.
constexpr size_t kBatch = 32;

}  // namespace

Status SharedChannel::Call(Request& request, std::chrono::nanoseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  Lock lock(mutex_);
  if (!Submit(lock, request, deadline)) return request.status;
  if (request.status != Status::kPending) {  // not expressible: done at once
    channel_.Abandon(request);
    return request.status;
  }
  while (request.status == Status::kPending && Clock::now() < deadline) {
    WaitForChange(lock, deadline);
  }
  if (request.status == Status::kPending) channel_.Abandon(request);
  return request.status;
}

bool SharedChannel::Submit(Lock& lock, Request& request, Clock::time_point deadline) {
  Request* const wanted = &request;
  while (true) {
    if (!leading_) TakeFinished();
    if (channel_.Submit({&wanted, 1}) == 1) return true;
    request.status = channel_.error() ? Status::kBroken : Status::kUnavailable;
    if (channel_.error() || Clock::now() >= deadline) return false;
    WaitForChange(lock, deadline);
  }
}

void SharedChannel::WaitForChange(Lock& lock, Clock::time_point deadline) {
  if (leading_) {
    changed_.wait_until(lock, deadline);
    return;
  }
  leading_ = true;
  lock.unlock();
  channel_.WaitForDevice(deadline);
  lock.lock();
  leading_ = false;
  channel_.CheckDevice();
  TakeFinished();
  changed_.notify_all();  // one of them leads next
}

// Not while a thread leads: it looks at the used ring without the lock. Whoever waits for a request
// sees its status change; the pointers are of no use here.
void SharedChannel::TakeFinished() {
  std::array<Request*, kBatch> done;
  bool any = false;
  while (channel_.Poll(done) != 0) any = true;
  if (any) changed_.notify_all();
}

}  // namespace sealane::driver
