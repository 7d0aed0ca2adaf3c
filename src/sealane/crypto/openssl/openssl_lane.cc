// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_lane.h"

#include <openssl/err.h>

#include <algorithm>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_lane_session.h"
#include "sealane/crypto/openssl/openssl_session.h"
#include "sealane/crypto/payload.h"

namespace sealane::crypto {

Result<std::unique_ptr<LaneSession>> OpenSslLane::OpenSession(
    std::shared_ptr<const Session> session) {
  SL_CHECK(session != nullptr);
  // A lane is given its own engine's sessions only, so this is what it is.
  return OpenSslLaneSession::Create(std::static_pointer_cast<const OpenSslSession>(session));
}

size_t OpenSslLane::Submit(std::span<Op* const> ops) {
  const size_t taken = std::min(ops.size(), kCapacity - num_done_);
  for (Op* const op : ops.first(taken)) {
    op->status = Run(*op);
    done_[(first_ + num_done_) % kCapacity] = op;
    ++num_done_;
  }
  bounce_.Trim();
  return taken;
}

size_t OpenSslLane::Poll(std::span<Op*> done) {
  const size_t given = std::min(done.size(), num_done_);
  for (Op*& op : done.first(given)) {
    op = done_[first_];
    first_ = (first_ + 1) % kCapacity;
  }
  num_done_ -= given;
  return given;
}

Status OpenSslLane::Run(Op& op) {
  SL_CHECK(op.session != nullptr);
  auto& session = static_cast<OpenSslLaneSession&>(*op.session);
  if (!IsValidOp(session.info(), op) || !HaveTheirTotals(op)) return Status::kError;
  const Status status = session.Run(op, bounce_);
  if (status != Status::kOk) [[unlikely]] {
    ERR_clear_error();
  }
  return status;
}

}  // namespace sealane::crypto
