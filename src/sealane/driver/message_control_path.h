// SPDX-License-Identifier: Apache-2.0
//
// MessageControlPath: sessions by the transport's messages (vhost-user 26 and 27). Any thread.
#pragma once

#include "sealane/driver/control_path.h"
#include "sealane/driver/transport.h"

namespace sealane::driver {

class MessageControlPath final : public ControlPath {
 public:
  // The messages outlive the path.
  explicit MessageControlPath(SessionMessages& messages) : messages_(messages) {}

  Outcome<SessionId> CreateSession(const CipherSessionParams& params) override;
  Outcome<void> CloseSession(SessionId session) override;

 private:
  SessionMessages& messages_;
};

}  // namespace sealane::driver
