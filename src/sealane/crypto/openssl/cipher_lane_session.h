// SPDX-License-Identifier: Apache-2.0
//
// CipherLaneSession: a cipher alone. Belongs to the lane's thread.
#pragma once

#include <memory>

#include "sealane/crypto/openssl/cipher_context.h"
#include "sealane/crypto/openssl/openssl_lane_session.h"

namespace sealane::crypto {

class CipherLaneSession final : public OpenSslLaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  Status Run(Op& op, BounceBuffer& bounce) override;

 private:
  CipherLaneSession(std::shared_ptr<const OpenSslSession> session, CipherContext cipher)
      : OpenSslLaneSession(std::move(session)), cipher_(std::move(cipher)) {}

  CipherContext cipher_;
};

}  // namespace sealane::crypto
