// SPDX-License-Identifier: Apache-2.0
//
// Connection: whole messages over a connected UNIX stream socket, with their descriptors. It knows
// framing and nothing of what messages mean. The peer is not trusted: sizes are capped before
// anything is read, and no descriptor outlives an error. Never blocks without also watching the
// caller's wake-up and deadline, so that a silent peer stops nobody. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/message.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::vhost_user {

// What else ends a wait.
struct WaitLimits {
  int wake_fd = -1;  // becomes readable to call the waiter back; not drained here
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

class Connection {
 public:
  explicit Connection(UniqueFd fd) : fd_(std::move(fd)) {}

  // The next message, or nothing if wake_fd called. Errors: kClosed if the peer left between
  // messages, kTimeout at the deadline, kBroken if what came is no message (too large, cut off, too
  // many descriptors, descriptors behind the header), kSystem. After an error, and after a wake-up
  // too, the stream may stand inside a message: close the connection.
  Result<std::optional<RawMessage>> Receive(const WaitLimits& limits);

  // Sends a whole message; descriptors stay the caller's. False if wake_fd called before the peer
  // took all of it. Errors as above, kInvalid if the message is larger than the protocol allows.
  Result<bool> Send(const wire::vhost_user_header& header, std::span<const uint8_t> payload,
                    std::span<const int> fds, const WaitLimits& limits);

  int fd() const { return fd_.get(); }

 private:
  UniqueFd fd_;
};

}  // namespace sealane::vhost_user
