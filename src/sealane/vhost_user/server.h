// SPDX-License-Identifier: Apache-2.0
//
// Serve: the back-end's loop over one connection: receive, dispatch, reply.
#pragma once

#include <cstdint>

#include "sealane/base/result.h"
#include "sealane/vhost_user/connection.h"
#include "sealane/vhost_user/handler.h"

namespace sealane::vhost_user {

enum class ServeEnd : uint8_t {
  kPeerClosed,  // the front-end left between messages
  kWoken,       // wake_fd called
};

// Runs on the calling thread until the connection ends. wake_fd (-1: none) is not drained. An error
// means that the connection had to be given up; it has been logged, in one line. Either way the
// caller now closes the connection.
Result<ServeEnd> Serve(Connection& connection, Handler& handler, int wake_fd);

}  // namespace sealane::vhost_user
