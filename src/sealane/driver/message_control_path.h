// SPDX-License-Identifier: Apache-2.0
//
// MessageControlPath: sessions by the transport's messages (vhost-user 26 and 27), one at a time: a
// call waits for the socket's round trip, and what Start takes is done when it returns. Threads as
// in control_path.h.
#pragma once

#include <mutex>
#include <vector>

#include "sealane/driver/control_path.h"
#include "sealane/driver/transport.h"

namespace sealane::driver {

class MessageControlPath final : public ControlPath {
 public:
  // The messages outlive the path.
  explicit MessageControlPath(SessionMessages& messages) : messages_(messages) {}
  ~MessageControlPath() override;

  void Run(std::span<SessionOp> ops, Clock::time_point deadline) override;
  size_t Start(std::span<SessionOp* const> ops) override;
  size_t Poll() override;
  bool Wait(Clock::time_point deadline) override;
  void Shutdown() override;

 private:
  void Do(SessionOp& op);
  Outcome<SessionId> Exchange(const SessionOp& op);

  SessionMessages& messages_;
  std::mutex mutex_;
  std::vector<SessionOp*> finished_;  // started, for Poll
  bool shut_down_ = false;
};

}  // namespace sealane::driver
