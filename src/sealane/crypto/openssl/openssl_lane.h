// SPDX-License-Identifier: Apache-2.0
//
// OpenSslLane: runs each op at once, on the thread that submits it, and remembers it for Poll. It
// allocates nothing per op; only a payload that is not one piece and is larger than any before in
// its batch makes the bounce buffer grow. Belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "sealane/crypto/bounce_buffer.h"
#include "sealane/crypto/lane.h"

namespace sealane::crypto {

class OpenSslLane final : public Lane {
 public:
  // Ops that wait for Poll at most.
  static constexpr size_t kCapacity = 1024;

  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> session) override;
  size_t Submit(std::span<Op* const> ops) override;
  size_t Poll(std::span<Op*> done) override;  // in the order of Submit
  void Flush() override {}                    // nothing is ever held back
  size_t in_flight() const override { return num_done_; }

 private:
  Status Run(Op& op);

  BounceBuffer bounce_;
  std::array<Op*, kCapacity> done_{};  // a ring: num_done_ ops from first_ on
  size_t first_ = 0;
  size_t num_done_ = 0;
};

}  // namespace sealane::crypto
