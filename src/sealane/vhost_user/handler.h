// SPDX-License-Identifier: Apache-2.0
//
// Handler: what a back-end does with requests. The seam between protocol and device: behind it
// there are no sockets and no message bytes. One connection's requests come one at a time, in
// order, on the thread that runs Serve.
#pragma once

#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/reply.h"
#include "sealane/vhost_user/request.h"

namespace sealane::vhost_user {

class Handler {
 public:
  virtual ~Handler() = default;

  // Carries out one request. `fds` are the descriptors of the message, as many as the request says;
  // those not taken are closed.
  //
  // Success: the payload of the request's own reply, or DoneReply() if it has none.
  // Failure: the request is refused. The front-end is told where the protocol has a way to, and the
  // connection goes on, except that
  //   - ErrorCode::kBroken ends the connection, and so does
  //   - refusing a request whose reply has no way to say no (GET_FEATURES, GET_VRING_BASE ...),
  //     because the front-end would wait for ever.
  virtual Result<Reply> Handle(const Request& request, std::vector<UniqueFd> fds) = 0;
};

}  // namespace sealane::vhost_user
