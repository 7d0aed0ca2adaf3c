// SPDX-License-Identifier: Apache-2.0
//
// OpenSslLaneSession: a session made ready for one lane, one class for each kind of session. An
// operation makes nothing anew. Belongs to the lane's thread.
#pragma once

#include <memory>

#include "sealane/base/result.h"
#include "sealane/crypto/bounce_buffer.h"
#include "sealane/crypto/lane.h"
#include "sealane/crypto/op.h"
#include "sealane/crypto/openssl/openssl_session.h"

namespace sealane::crypto {

class OpenSslLaneSession : public LaneSession {
 public:
  // Fails if memory runs out.
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  const SessionInfo& info() const { return session_->info(); }

  // One operation that is IsValidOp and whose lists have the totals that it says. OpenSSL's error
  // queue may be left filled unless this is kOk.
  virtual Status Run(Op& op, BounceBuffer& bounce) = 0;

 protected:
  explicit OpenSslLaneSession(std::shared_ptr<const OpenSslSession> session)
      : session_(std::move(session)) {}
  const OpenSslSession& session() const { return *session_; }

 private:
  const std::shared_ptr<const OpenSslSession> session_;
};

}  // namespace sealane::crypto
