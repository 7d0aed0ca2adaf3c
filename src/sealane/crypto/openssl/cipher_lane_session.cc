// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/cipher_lane_session.h"

#include <utility>
#include <variant>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {

Result<std::unique_ptr<OpenSslLaneSession>> CipherLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  const auto& params = std::get<CipherParams>(session->params());
  SL_ASSIGN_OR_RETURN(CipherContext cipher,
                      CipherContext::Create(params, session->algorithms().cipher));
  return std::unique_ptr<OpenSslLaneSession>(
      new CipherLaneSession(std::move(session), std::move(cipher)));
}

Status CipherLaneSession::Run(Op& op, BounceBuffer& bounce) {
  if (op.len == 0) return Status::kOk;
  const PayloadPair pair(op, bounce);
  if (!pair.is_there()) return Status::kError;
  if (!cipher_.Crypt(op.iv, pair.in(), pair.out(), pair.size())) return Status::kError;
  pair.Deliver();
  return Status::kOk;
}

}  // namespace sealane::crypto
