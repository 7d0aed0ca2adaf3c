// SPDX-License-Identifier: Apache-2.0
//
// Dispatcher: one connection's protocol policy, without the socket: parse, let the handler act,
// decide what goes back. What a message gets that fails is settled here and nowhere else:
//
// * A header that cannot be a request, or a refusal with kBroken: the connection is closed.
// * Otherwise, malformed or refused, the error reply that the protocol has for the request: an
//   empty payload (GET_CONFIG), a negative id (CREATE_CRYPTO_SESSION), a u64 of 1 if the request
//   has no reply of its own and the front-end negotiated REPLY_ACK and set NEED_REPLY.
// * Where there is none: closed if the message was malformed, or if the front-end waits for a reply
//   that cannot say no; else the refusal is only logged.
//
// One thread at a time; lives as long as its connection.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/error.h"
#include "sealane/vhost_user/handler.h"
#include "sealane/vhost_user/message.h"

namespace sealane::vhost_user {

class Dispatcher {
 public:
  // Borrows the handler.
  explicit Dispatcher(Handler& handler) : handler_(handler) {}

  struct Outcome {
    std::optional<Reply> reply;  // to be sent, even if the connection is then closed
    bool close = false;
    std::optional<Error> error;  // what was wrong, for the log
  };

  Outcome Dispatch(RawMessage message);

 private:
  Outcome Succeed(const wire::vhost_user_header& header, Reply reply) const;
  Outcome Refuse(const wire::vhost_user_header& header, std::span<const uint8_t> payload,
                 const Error& error, bool malformed) const;
  bool WantsAck(const wire::vhost_user_header& header) const;

  Handler& handler_;
  bool reply_ack_ = false;  // VHOST_USER_PROTOCOL_F_REPLY_ACK is negotiated
};

}  // namespace sealane::vhost_user
