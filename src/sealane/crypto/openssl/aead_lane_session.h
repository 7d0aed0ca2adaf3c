// SPDX-License-Identifier: Apache-2.0
//
// AeadLaneSession: GCM, CCM and ChaCha20-Poly1305. Belongs to the lane's thread.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "sealane/crypto/openssl/openssl_lane_session.h"

namespace sealane::crypto {

class AeadLaneSession final : public OpenSslLaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  Status Run(Op& op, BounceBuffer& bounce) override;

 private:
  AeadLaneSession(std::shared_ptr<const OpenSslSession> session, EvpContextPtr context)
      : OpenSslLaneSession(std::move(session)),
        context_(std::move(context)),
        is_ccm_(info().aead == AeadAlgorithm::kAesCcm),
        encrypts_(info().direction == Direction::kEncrypt) {}

  bool SetKey(size_t iv_len);
  // IV, and the tag to compare with.
  bool Begin(Op& op);
  bool AddAad(const Op& op);
  bool Crypt(const uint8_t* in, uint8_t* out, size_t len);
  // After the last byte: whether OpenSSL is content, and the tag if there is one to make.
  bool Finish(Op& op);
  Status RunOn(Op& op, const uint8_t* in, uint8_t* out);

  const EvpContextPtr context_;
  const bool is_ccm_;
  const bool encrypts_;
  size_t iv_len_ = 0;        // that the key is set for
  BounceBuffer aad_bounce_;  // CCM takes AAD in one piece
};

}  // namespace sealane::crypto
