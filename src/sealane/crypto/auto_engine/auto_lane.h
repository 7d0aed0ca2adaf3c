// SPDX-License-Identifier: Apache-2.0
//
// AutoLane: a lane for what is quick and one for what is slow, as one. Slow ops are always taken:
// what their lane has no room for now waits here, borrowed like any op, and goes on when it has. So
// nothing quick waits behind something slow. Belongs to one thread.
#pragma once

#include <deque>
#include <memory>
#include <span>

#include "sealane/crypto/lane.h"

namespace sealane::crypto {

class AutoLane final : public Lane {
 public:
  AutoLane(std::unique_ptr<Lane> quick, std::unique_ptr<Lane> slow);

  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> session) override;
  size_t Submit(std::span<Op* const> ops) override;
  // In the order of Submit for the ops of one session.
  size_t Poll(std::span<Op*> done) override;
  void Flush() override;
  size_t in_flight() const override {
    return quick_->in_flight() + slow_->in_flight() + waiting_.size();
  }

 private:
  class AutoLaneSession;

  // As many as the lane takes, each seen with its own session for as long as that takes.
  static size_t SubmitTo(Lane& lane, std::span<Op* const> ops);
  void SubmitWaiting();

  const std::unique_ptr<Lane> quick_;
  const std::unique_ptr<Lane> slow_;
  std::deque<Op*> waiting_;  // slow ones
};

}  // namespace sealane::crypto
