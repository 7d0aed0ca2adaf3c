// SPDX-License-Identifier: Apache-2.0
//
// DigestLaneSession: a hash or a MAC alone. Belongs to the lane's thread.
#pragma once

#include <memory>
#include <utility>

#include "sealane/crypto/openssl/digest_context.h"
#include "sealane/crypto/openssl/openssl_lane_session.h"

namespace sealane::crypto {

class DigestLaneSession final : public OpenSslLaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  Status Run(Op& op, BounceBuffer& bounce) override;

 private:
  DigestLaneSession(std::shared_ptr<const OpenSslSession> session,
                    std::unique_ptr<DigestContext> digest)
      : OpenSslLaneSession(std::move(session)), digest_(std::move(digest)) {}

  const std::unique_ptr<DigestContext> digest_;
};

}  // namespace sealane::crypto
