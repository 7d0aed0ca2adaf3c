// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/digest_lane_session.h"

#include <array>
#include <utility>
#include <variant>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {

Result<std::unique_ptr<OpenSslLaneSession>> DigestLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  const auto* hash = std::get_if<HashParams>(&session->params());
  SL_ASSIGN_OR_RETURN(auto digest, hash != nullptr
                                       ? MakeHashContext(*hash, session->algorithms().digest)
                                       : MakeMacContext(std::get<MacParams>(session->params()),
                                                        session->algorithms().mac));
  return std::unique_ptr<OpenSslLaneSession>(
      new DigestLaneSession(std::move(session), std::move(digest)));
}

Status DigestLaneSession::Run(Op& op, BounceBuffer& /*bounce*/) {
  if (!digest_->Begin()) return Status::kError;
  for (const Segment& segment : op.src) {
    if (!digest_->Update({segment.data, segment.size})) return Status::kError;
  }
  std::array<uint8_t, kMaxResultLen> bytes;
  const auto result = std::span(bytes).first(static_cast<size_t>(op.out_len));
  if (!digest_->Finish(result)) return Status::kError;
  // The source may be where the result goes; it has been read.
  ScatterPayload(result, op.dst);
  return Status::kOk;
}

}  // namespace sealane::crypto
