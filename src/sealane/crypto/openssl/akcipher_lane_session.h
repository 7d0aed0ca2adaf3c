// SPDX-License-Identifier: Apache-2.0
//
// AkcipherLaneSession: RSA and ECDSA. An operation takes from some 20 µs to some milliseconds, so
// lanes with such sessions belong behind an engine queue. Belongs to the lane's thread.
//
// Results: a signature that does not verify is kKeyRejected; every other failure is kError, one for
// all faults of padding. Private RSA operations are blinded, OpenSSL's default.
#pragma once

#include <memory>
#include <span>

#include "sealane/crypto/openssl/openssl_lane_session.h"

namespace sealane::crypto {

class AkcipherLaneSession final : public OpenSslLaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  Status Run(Op& op, BounceBuffer& bounce) override;

 private:
  explicit AkcipherLaneSession(std::shared_ptr<const OpenSslSession> session);

  // A context that is set up for the operation; null if there is no such operation.
  EvpKeyContextPtr MakeContext(AkcipherOp op) const;
  bool SetPadding(evp_pkey_ctx_st* context, AkcipherOp op) const;
  Status Transform(Op& op, std::span<const uint8_t> in);
  Status Verify(const Op& op, std::span<const uint8_t> signature);

  const AkcipherParams& params_;
  const bool is_rsa_;
};

}  // namespace sealane::crypto
