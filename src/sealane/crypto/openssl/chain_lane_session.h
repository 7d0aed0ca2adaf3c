// SPDX-License-Identifier: Apache-2.0
//
// ChainLaneSession: a cipher and a hash or MAC over the same payload. Belongs to the lane's thread.
#pragma once

#include <memory>
#include <utility>

#include "sealane/crypto/openssl/cipher_context.h"
#include "sealane/crypto/openssl/digest_context.h"
#include "sealane/crypto/openssl/openssl_lane_session.h"

namespace sealane::crypto {

class ChainLaneSession final : public OpenSslLaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  Status Run(Op& op, BounceBuffer& bounce) override;

 private:
  ChainLaneSession(std::shared_ptr<const OpenSslSession> session, CipherContext cipher,
                   std::unique_ptr<DigestContext> digest)
      : OpenSslLaneSession(std::move(session)),
        cipher_(std::move(cipher)),
        digest_(std::move(digest)) {}

  // `out` becomes `in` with the cipher's range transformed.
  bool Crypt(const Op& op, const uint8_t* in, uint8_t* out);
  // Into the op's tag.
  bool Digest(Op& op, const uint8_t* bytes);

  CipherContext cipher_;
  const std::unique_ptr<DigestContext> digest_;
};

}  // namespace sealane::crypto
