// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/reply.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace sealane::vhost_user {
namespace {

template <class T>
std::vector<uint8_t> Bytes(const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

Reply DoneReply() { return {}; }

Reply U64Reply(uint64_t value) { return {Bytes(value)}; }

Reply VringStateReply(uint32_t index, uint32_t num) {
  return {Bytes(wire::vhost_vring_state{.index = index, .num = num})};
}

Reply ConfigReply(const request::GetConfig& request, std::span<const uint8_t> bytes) {
  const wire::vhost_user_config_header header{
      .offset = request.offset, .size = request.size, .flags = request.flags};
  Reply reply;
  reply.payload.resize(sizeof header + bytes.size());
  std::memcpy(reply.payload.data(), &header, sizeof header);
  std::ranges::copy(bytes, std::span(reply.payload).subspan(sizeof header).begin());
  return reply;
}

wire::vhost_user_header ReplyHeader(uint32_t request, size_t payload_size) {
  return {.request = request,
          .flags = wire::kVhostUserReply | wire::kVhostUserVersion,
          .size = static_cast<uint32_t>(payload_size)};
}

}  // namespace sealane::vhost_user
