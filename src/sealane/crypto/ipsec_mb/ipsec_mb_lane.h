// SPDX-License-Identifier: Apache-2.0
//
// IpsecMbLane: runs a batch at once, on the thread that submits it: ops of one algorithm, direction
// and key length go through the library together, whatever their keys. What lies in pieces, is
// long, or has a counter that wraps goes alone. Belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sealane/crypto/bounce_buffer.h"
#include "sealane/crypto/ipsec_mb/ipsec_mb_session.h"
#include "sealane/crypto/ipsec_mb/mb_manager.h"
#include "sealane/crypto/lane.h"

struct IMB_JOB;

namespace sealane::crypto {

// Whether an op can go together with others: one piece on each side, the same or apart, of moderate
// length, and no counter that wraps within 32 bits.
bool IsForBurst(const SessionInfo& info, const Op& op);

class IpsecMbLane final : public Lane {
 public:
  static constexpr size_t kCapacity = 1024;  // ops that wait for Poll at most

  explicit IpsecMbLane(MbManagerPtr manager);
  ~IpsecMbLane() override;

  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> session) override;
  size_t Submit(std::span<Op* const> ops) override;
  size_t Poll(std::span<Op*> done) override;  // in the order of Submit
  void Flush() override {}
  size_t in_flight() const override { return done_.size() - num_given_; }

 private:
  static constexpr size_t kMaxBurst = 64;
  static constexpr size_t kNumGroups = 12;  // by algorithm, direction, key length

  static size_t GroupOf(const SessionInfo& info);
  void Sort(Op& op);
  void RunGroup(std::vector<Op*>& group);
  void RunBurst(std::span<Op* const> ops);
  Status RunAlone(Op& op);
  bool RunPart(const IpsecMbSession& session, const std::array<uint8_t, kMaxIvLen>& iv,
               const uint8_t* in, uint8_t* out, size_t len);

  const MbManagerPtr manager_;
  const std::unique_ptr<IMB_JOB[]> jobs_;
  BounceBuffer bounce_;
  std::array<std::vector<Op*>, kNumGroups> groups_;
  std::vector<Op*> done_;  // num_given_ of them have been
  size_t num_given_ = 0;
};

}  // namespace sealane::crypto
