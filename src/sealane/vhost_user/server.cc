// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/server.h"

#include <string>

#include "sealane/base/log.h"
#include "sealane/vhost_user/dispatcher.h"

namespace sealane::vhost_user {
namespace {

std::string Describe(uint32_t request, const Error& error) {
  return "vhost-user request " + std::to_string(request) + ": " + ToString(error);
}

Error GiveUp(const std::string& line, const Error& error) {
  Log(LogLevel::kError, line + "; connection closed");
  return error;
}

}  // namespace

Result<ServeEnd> Serve(Connection& connection, Handler& handler, int wake_fd) {
  const WaitLimits limits{.wake_fd = wake_fd, .deadline = std::nullopt};
  Dispatcher dispatcher(handler);
  RateLimit refusals;
  while (true) {
    Result<std::optional<RawMessage>> message = connection.Receive(limits);
    if (!message) {
      if (message.error().code == ErrorCode::kClosed) return ServeEnd::kPeerClosed;
      return GiveUp("vhost-user: " + ToString(message.error()), message.error());
    }
    if (!message->has_value()) return ServeEnd::kWoken;
    const uint32_t request = (*message)->header.request;
    const Dispatcher::Outcome outcome = dispatcher.Dispatch(std::move(**message));
    if (outcome.reply) {
      const auto& payload = outcome.reply->payload;
      const Result<bool> sent =
          connection.Send(ReplyHeader(request, payload.size()), payload, {}, limits);
      if (!sent && sent.error().code == ErrorCode::kClosed) return ServeEnd::kPeerClosed;
      if (!sent) return GiveUp(Describe(request, sent.error()), sent.error());
      if (!*sent) return ServeEnd::kWoken;
    }
    if (outcome.close) return GiveUp(Describe(request, *outcome.error), *outcome.error);
    if (outcome.error) refusals.Log(LogLevel::kWarning, Describe(request, *outcome.error));
  }
}

}  // namespace sealane::vhost_user
