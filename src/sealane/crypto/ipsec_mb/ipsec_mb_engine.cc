// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/ipsec_mb/ipsec_mb_engine.h"

#include <utility>

#include "sealane/crypto/ipsec_mb/ipsec_mb_lane.h"
#include "sealane/crypto/ipsec_mb/ipsec_mb_session.h"

namespace sealane::crypto {

Result<std::unique_ptr<IpsecMbEngine>> IpsecMbEngine::Create() {
  MbManagerPtr manager = MakeMbManager();
  if (!manager) return Error{ErrorCode::kUnsupported, "no multi-buffer AES on this processor"};
  return std::unique_ptr<IpsecMbEngine>(new IpsecMbEngine(std::move(manager)));
}

std::expected<std::shared_ptr<const Session>, Status> IpsecMbEngine::CreateSession(
    SessionParams params) {
  const auto* const cipher = std::get_if<CipherParams>(&params);
  if (cipher == nullptr || !caps_.Offers(cipher->algorithm)) {
    return std::unexpected(Status::kNotSupported);
  }
  if (CheckParams(params) != Status::kOk) return std::unexpected(Status::kError);
  const std::lock_guard lock(mutex_);
  return std::make_shared<const IpsecMbSession>(params, *manager_);
}

Result<std::unique_ptr<Lane>> IpsecMbEngine::OpenLane(Waker& /*waker*/) {
  MbManagerPtr manager = MakeMbManager();
  if (!manager) return Error{ErrorCode::kNoSpace, "no multi-buffer manager"};
  return std::make_unique<IpsecMbLane>(std::move(manager));
}

}  // namespace sealane::crypto
