// SPDX-License-Identifier: Apache-2.0
#include "slow_engine.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace sealane::faults {
namespace {

using crypto::Op;
using crypto::Session;

class SlowSession final : public Session {
 public:
  SlowSession(const crypto::SessionParams& params, std::atomic<int>& count)
      : Session(crypto::InfoOf(params)), count_(count) {
    ++count_;
  }
  ~SlowSession() override { --count_; }

 private:
  std::atomic<int>& count_;
};

class SlowLaneSession final : public crypto::LaneSession {
 public:
  explicit SlowLaneSession(std::shared_ptr<const Session> session) : session_(std::move(session)) {}

 private:
  std::shared_ptr<const Session> session_;
};

void Invert(Op& op) {
  uint64_t done = 0;
  size_t dst = 0;
  size_t dst_offset = 0;
  for (const crypto::Segment& segment : op.src) {
    for (size_t i = 0; i < segment.size; ++i, ++done) {
      for (; dst_offset == op.dst[dst].size; dst_offset = 0) ++dst;
      op.dst[dst].data[dst_offset++] = static_cast<uint8_t>(~segment.data[i]);
    }
  }
  op.status = done == op.len ? crypto::Status::kOk : crypto::Status::kError;
}

class SlowLane final : public crypto::Lane {
 public:
  SlowLane(SlowEngineState& state, crypto::Waker& waker, size_t depth)
      : state_(state), waker_(waker), depth_(depth), thread_([this] { Run(); }) {}

  ~SlowLane() override {
    {
      const std::lock_guard lock(state_.mutex);
      stop_ = true;
    }
    state_.changed.notify_all();
    thread_.join();
  }

  Result<std::unique_ptr<crypto::LaneSession>> OpenSession(
      std::shared_ptr<const Session> session) override {
    return std::make_unique<SlowLaneSession>(std::move(session));
  }

  size_t Submit(std::span<Op* const> ops) override {
    const size_t taken = std::min(ops.size(), depth_ - in_flight_);
    if (taken == 0) return 0;
    in_flight_ += taken;
    {
      const std::lock_guard lock(state_.mutex);
      waiting_.insert(waiting_.end(), ops.begin(), ops.begin() + static_cast<ptrdiff_t>(taken));
      state_.most_in_flight = std::max(state_.most_in_flight, in_flight_);
    }
    state_.changed.notify_all();
    return taken;
  }

  size_t Poll(std::span<Op*> done) override {
    const std::lock_guard lock(state_.mutex);
    const size_t count = std::min(done.size(), finished_.size());
    std::copy_n(finished_.begin(), count, done.begin());
    finished_.erase(finished_.begin(), finished_.begin() + static_cast<ptrdiff_t>(count));
    in_flight_ -= count;
    return count;
  }

  void Flush() override {}
  size_t in_flight() const override { return in_flight_; }

 private:
  void Run() {
    std::unique_lock lock(state_.mutex);
    while (true) {
      state_.changed.wait(lock, [this] { return stop_ || (!state_.held && !waiting_.empty()); });
      if (stop_) return;
      std::vector<Op*> batch = std::exchange(waiting_, {});
      lock.unlock();
      std::ranges::reverse(batch);
      for (Op* const op : batch) Invert(*op);
      lock.lock();
      const bool was_empty = finished_.empty();
      finished_.insert(finished_.end(), batch.begin(), batch.end());
      lock.unlock();
      if (was_empty) waker_.Wake();
      lock.lock();
    }
  }

  SlowEngineState& state_;
  crypto::Waker& waker_;
  const size_t depth_;
  size_t in_flight_ = 0;      // the lane's thread only
  std::vector<Op*> waiting_;  // these three under the state's mutex
  std::vector<Op*> finished_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

std::expected<std::shared_ptr<const Session>, crypto::Status> SlowEngine::CreateSession(
    crypto::SessionParams params) {
  return std::make_shared<const SlowSession>(params, state_.sessions);
}

Result<std::unique_ptr<crypto::Lane>> SlowEngine::OpenLane(crypto::Waker& waker) {
  return std::make_unique<SlowLane>(state_, waker, depth_);
}

void SlowEngine::SetHeld(bool held) {
  {
    const std::lock_guard lock(state_.mutex);
    state_.held = held;
  }
  state_.changed.notify_all();
}

size_t SlowEngine::most_in_flight() {
  const std::lock_guard lock(state_.mutex);
  return state_.most_in_flight;
}

}  // namespace sealane::faults
