// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/message_control_path.h"

namespace sealane::driver {

Outcome<SessionId> MessageControlPath::CreateSession(const CipherSessionParams& params) {
  if (params.key.empty() || params.key.size() > kMaxKeyLen) {
    return Failure{Status::kInvalidArgument, {ErrorCode::kInvalid, "impossible key length"}};
  }
  return messages_.CreateSession(params);
}

Outcome<void> MessageControlPath::CloseSession(SessionId session) {
  return messages_.CloseSession(session);
}

}  // namespace sealane::driver
