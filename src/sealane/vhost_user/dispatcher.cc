// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/dispatcher.h"

#include <utility>

#include "sealane/vhost_user/crypto_session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::vhost_user {
namespace {

bool AsksForReplyAck(const Request& request) {
  const auto* const set = std::get_if<request::SetProtocolFeatures>(&request);
  return set != nullptr &&
         (set->features & (uint64_t{1} << wire::VHOST_USER_PROTOCOL_F_REPLY_ACK)) != 0;
}

}  // namespace

Dispatcher::Outcome Dispatcher::Dispatch(RawMessage message) {
  const wire::vhost_user_header header = message.header;
  if (const Result<void> valid = CheckRequestHeader(header); !valid) {
    return {.reply = std::nullopt, .close = true, .error = valid.error()};
  }
  const auto request = ParseRequest(header, message.payload.bytes(), message.fds.size());
  if (!request) return Refuse(header, message.payload.bytes(), request.error(), true);

  Result<Reply> reply = handler_.Handle(*request, std::move(message.fds));
  if (std::holds_alternative<request::SetProtocolFeatures>(*request)) {
    // From this message on: User Mode Linux asks for the acknowledgement of the very message that
    // negotiates it. If it was refused, only what was agreed before is left.
    const bool asks = AsksForReplyAck(*request);
    reply_ack_ = reply.has_value() ? asks : reply_ack_ || asks;
  }
  if (!reply) return Refuse(header, message.payload.bytes(), reply.error(), false);
  return Succeed(header, std::move(*reply));
}

Dispatcher::Outcome Dispatcher::Succeed(const wire::vhost_user_header& header, Reply reply) const {
  if (HasOwnReply(header.request)) {
    return {.reply = std::move(reply), .close = false, .error = std::nullopt};
  }
  if (WantsAck(header)) return {.reply = U64Reply(0), .close = false, .error = std::nullopt};
  return {};
}

Dispatcher::Outcome Dispatcher::Refuse(const wire::vhost_user_header& header,
                                       std::span<const uint8_t> payload, const Error& error,
                                       bool malformed) const {
  Outcome outcome{.reply = std::nullopt, .close = error.code == ErrorCode::kBroken, .error = error};
  if (header.request == wire::VHOST_USER_GET_CONFIG) {
    // "The vhost-user back-end uses zero length of payload to indicate an error."
    outcome.reply = Reply{};
  } else if (header.request == wire::VHOST_USER_CREATE_CRYPTO_SESSION) {
    outcome.reply = Reply{EncodeCryptoSessionReply(payload, -int64_t{wire::VIRTIO_CRYPTO_ERR})};
  } else if (!HasOwnReply(header.request) && WantsAck(header)) {
    outcome.reply = U64Reply(1);
  } else if (HasOwnReply(header.request) || malformed) {
    outcome.close = true;  // a front-end that waits would wait for ever
  }
  return outcome;
}

bool Dispatcher::WantsAck(const wire::vhost_user_header& header) const {
  return reply_ack_ && NeedsReply(header);
}

}  // namespace sealane::vhost_user
