// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_lane.h"

#include <algorithm>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_lane_session.h"
#include "sealane/crypto/openssl/openssl_session.h"
#include "sealane/crypto/openssl/payload.h"

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

Status OpenSslLane::Run(const Op& op) {
  SL_CHECK(op.session != nullptr);
  auto& session = static_cast<OpenSslLaneSession&>(*op.session);
  if (!IsValidPayloadLen(session.algorithm(), op.len)) return Status::kError;
  const PayloadShape src = MeasurePayload(op.src, op.len);
  const PayloadShape dst = MeasurePayload(op.dst, op.len);
  if (!src.fits || !dst.fits || src.size != op.len || dst.size != op.len) return Status::kError;
  if (op.len == 0) return Status::kOk;

  if (src.contiguous && dst.contiguous && AreSameOrDisjoint(src.data, dst.data, src.size)) {
    return session.Crypt(op.iv, src.data, dst.data, src.size) ? Status::kOk : Status::kError;
  }
  // Any other shape goes through our own memory: all of the source is read before anything is
  // written, and a cipher sees one piece.
  const std::span<uint8_t> bounce = bounce_.Get(src.size);
  if (bounce.empty()) return Status::kError;
  GatherPayload(op.src, bounce);
  if (!session.Crypt(op.iv, bounce.data(), bounce.data(), bounce.size())) return Status::kError;
  ScatterPayload(bounce, op.dst);
  return Status::kOk;
}

}  // namespace sealane::crypto
