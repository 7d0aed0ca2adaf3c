// SPDX-License-Identifier: Apache-2.0
//
// For this module's tests: a handler that notes what it is given and answers as it is told, and
// makers of raw messages and sockets. One thread at a time.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sealane/base/hex.h"
#include "sealane/vhost_user/handler.h"
#include "sealane/vhost_user/message.h"

namespace sealane::vhost_user {

template <class T>
size_t IndexOf() {
  return Request(T{}).index();
}

class FakeHandler : public Handler {
 public:
  Result<Reply> Handle(const Request& request, std::vector<UniqueFd> fds) override {
    indexes.push_back(request.index());
    num_fds.push_back(fds.size());
    if (on_request) return on_request(request);
    if (error) return *error;
    return answer;
  }

  std::function<Result<Reply>(const Request&)> on_request;  // goes before the two below
  std::optional<Error> error;
  Reply answer;

  std::vector<size_t> indexes;  // the alternatives of Request that came
  std::vector<size_t> num_fds;
};

inline std::vector<uint8_t> FromHex(std::string_view text) {
  auto bytes = HexDecode(text);
  EXPECT_TRUE(bytes.has_value()) << text;
  return bytes.value_or(std::vector<uint8_t>());
}

// A message as a front-end sends it. The descriptors are not valid ones: only their number counts.
inline RawMessage MakeMessage(uint32_t request, std::span<const uint8_t> payload = {},
                              uint32_t flags = wire::kVhostUserVersion, size_t num_fds = 0) {
  RawMessage message;
  message.header = {
      .request = request, .flags = flags, .size = static_cast<uint32_t>(payload.size())};
  message.payload = SecretBytes(payload);
  message.fds.resize(num_fds);
  return message;
}

inline std::pair<UniqueFd, UniqueFd> MakeSocketPair() {
  std::array<int, 2> fds = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()), 0);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

}  // namespace sealane::vhost_user
