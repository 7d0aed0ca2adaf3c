// SPDX-License-Identifier: Apache-2.0
//
// ControlPath: how sessions come and go. Two implementations: RingControlPath (the control queue,
// virtio 1.3, 5.9.7.2) and MessageControlPath (vhost-user messages). Any thread; each call waits
// for its own answer only, and a call that fails leaves the path usable unless it is broken.
#pragma once

#include "sealane/driver/session.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

class ControlPath {
 public:
  virtual ~ControlPath() = default;

  virtual Outcome<SessionId> CreateSession(const CipherSessionParams& params) = 0;
  virtual Outcome<void> CloseSession(SessionId session) = 0;
};

}  // namespace sealane::driver
