// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/message.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace sealane::vhost_user {
namespace {

using Payload = std::span<const uint8_t>;

constexpr uint32_t kKnownFlags =
    wire::kVhostUserVersionMask | wire::kVhostUserReply | wire::kVhostUserNeedReply;

Error Malformed(const char* rule) { return Error{ErrorCode::kInvalid, rule}; }

// The table below has checked the size of every payload of fixed size; the decoders of the others
// check it themselves.
template <class T>
T Load(Payload payload, size_t offset = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value{};
  std::memcpy(&value, payload.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

template <class T>
Result<Request> DecodeEmpty(Payload, size_t) {
  return Request(T{});
}

template <class T>
Result<Request> DecodeFeatures(Payload payload, size_t) {
  return Request(T{.features = Load<uint64_t>(payload)});
}

template <class T>
Result<Request> DecodeRegion(Payload payload, size_t) {
  return Request(T{.region = Load<wire::vhost_user_mem_reg_msg>(payload).region});
}

// SET_VRING_KICK, CALL, ERR: "bits 0-7 of the payload contain the vring index. Bit 8 is the invalid
// FD flag."
template <class T>
Result<Request> DecodeVringFd(Payload payload, size_t num_fds) {
  const auto value = Load<uint64_t>(payload);
  if ((value & ~(wire::kVringIndexMask | wire::kVringNoFd)) != 0) {
    return Malformed("unknown bits beside the vring index");
  }
  const bool has_fd = (value & wire::kVringNoFd) == 0;
  if (num_fds != (has_fd ? 1U : 0U)) {
    return Malformed("the vring's descriptor does not agree with the no-descriptor bit");
  }
  return Request(
      T{.index = static_cast<uint32_t>(value & wire::kVringIndexMask), .has_fd = has_fd});
}

// "payload: region count, padding, then the regions", each with its descriptor. A fixed array may
// follow: User Mode Linux always sends room for two regions.
Result<Request> DecodeMemTable(Payload payload, size_t num_fds) {
  constexpr size_t kRegionSize = sizeof(wire::vhost_user_memory_region);
  if (payload.size() < sizeof(wire::vhost_user_memory_header)) {
    return Malformed("memory table of the wrong size");
  }
  const size_t num_regions = Load<wire::vhost_user_memory_header>(payload).num_regions;
  const Payload table = payload.subspan(sizeof(wire::vhost_user_memory_header));
  if (table.size() % kRegionSize != 0) return Malformed("memory table of the wrong size");
  if (num_regions > wire::kMaxMemRegionsPerMessage ||
      table.size() / kRegionSize > wire::kMaxMemRegionsPerMessage) {
    return Malformed("more than 8 memory regions in a table");
  }
  if (num_regions > table.size() / kRegionSize) {
    return Malformed("memory table shorter than its region count");
  }
  if (num_fds != num_regions) {
    return Malformed("memory table whose descriptors are not as many as its regions");
  }
  request::SetMemTable result;
  result.regions.reserve(num_regions);
  for (size_t i = 0; i < num_regions; ++i) {
    result.regions.push_back(Load<wire::vhost_user_memory_region>(table, i * kRegionSize));
  }
  return Request(std::move(result));
}

Result<Request> DecodeVringNum(Payload payload, size_t) {
  const auto state = Load<wire::vhost_vring_state>(payload);
  return Request(request::SetVringNum{.index = state.index, .num = state.num});
}

Result<Request> DecodeVringAddr(Payload payload, size_t) {
  const auto addr = Load<wire::vhost_vring_addr>(payload);
  return Request(request::SetVringAddr{.index = addr.index,
                                       .flags = addr.flags,
                                       .desc = mem::FrontendAddr{addr.desc_user_addr},
                                       .used = mem::FrontendAddr{addr.used_user_addr},
                                       .avail = mem::FrontendAddr{addr.avail_user_addr},
                                       .log_guest_addr = addr.log_guest_addr});
}

Result<Request> DecodeVringBase(Payload payload, size_t) {
  const auto state = Load<wire::vhost_vring_state>(payload);
  return Request(request::SetVringBase{.index = state.index, .base = state.num});
}

Result<Request> DecodeGetVringBase(Payload payload, size_t) {
  return Request(request::GetVringBase{.index = Load<wire::vhost_vring_state>(payload).index});
}

Result<Request> DecodeVringEnable(Payload payload, size_t) {
  const auto state = Load<wire::vhost_vring_state>(payload);
  if (state.num > 1) return Malformed("SET_VRING_ENABLE with neither 0 nor 1");
  return Request(request::SetVringEnable{.index = state.index, .enable = state.num == 1});
}

// Both configuration messages carry the header and as many bytes as it says.
Result<wire::vhost_user_config_header> LoadConfigHeader(Payload payload) {
  if (payload.size() < sizeof(wire::vhost_user_config_header)) {
    return Malformed("configuration message without its header");
  }
  const auto header = Load<wire::vhost_user_config_header>(payload);
  if (header.size > wire::kMaxVhostUserConfigSize) {
    return Malformed("configuration access of more than 256 bytes");
  }
  if (payload.size() - sizeof header != header.size) {
    return Malformed("configuration message of the wrong size");
  }
  return header;
}

Result<Request> DecodeGetConfig(Payload payload, size_t) {
  SL_ASSIGN_OR_RETURN(const auto header, LoadConfigHeader(payload));
  return Request(
      request::GetConfig{.offset = header.offset, .size = header.size, .flags = header.flags});
}

Result<Request> DecodeSetConfig(Payload payload, size_t) {
  SL_ASSIGN_OR_RETURN(const auto header, LoadConfigHeader(payload));
  const Payload bytes = payload.subspan(sizeof header);
  return Request(request::SetConfig{.offset = header.offset,
                                    .flags = header.flags,
                                    .bytes = std::vector<uint8_t>(bytes.begin(), bytes.end())});
}

Result<Request> DecodeCreateSession(Payload payload, size_t) {
  return Request(request::CreateCryptoSession{.payload = SecretBytes(payload)});
}

Result<Request> DecodeCloseSession(Payload payload, size_t) {
  return Request(request::CloseCryptoSession{.session_id = Load<uint64_t>(payload)});
}

Result<Request> DecodeStatus(Payload payload, size_t) {
  const auto status = Load<uint64_t>(payload);
  if (status > 0xff) return Malformed("device status of more than one byte");
  return Request(request::SetStatus{.status = static_cast<uint8_t>(status)});
}

constexpr size_t kAnySize = SIZE_MAX;
constexpr size_t kU64 = sizeof(uint64_t);
constexpr size_t kState = sizeof(wire::vhost_vring_state);
constexpr size_t kMemReg = sizeof(wire::vhost_user_mem_reg_msg);

struct Rule {
  uint32_t request;
  size_t size;  // of the payload; kAnySize: its decoder checks it
  size_t min_fds;
  size_t max_fds;
  bool own_reply;
  Result<Request> (*decode)(Payload payload, size_t num_fds);
};

// clang-format off
constexpr Rule kRules[] = {
    {wire::VHOST_USER_GET_FEATURES, 0, 0, 0, true, DecodeEmpty<request::GetFeatures>},
    {wire::VHOST_USER_SET_FEATURES, kU64, 0, 0, false, DecodeFeatures<request::SetFeatures>},
    {wire::VHOST_USER_SET_OWNER, 0, 0, 0, false, DecodeEmpty<request::SetOwner>},
    {wire::VHOST_USER_RESET_OWNER, 0, 0, 0, false, DecodeEmpty<request::ResetOwner>},
    {wire::VHOST_USER_SET_MEM_TABLE, kAnySize, 0, kMaxMessageFds, false, DecodeMemTable},
    {wire::VHOST_USER_SET_VRING_NUM, kState, 0, 0, false, DecodeVringNum},
    {wire::VHOST_USER_SET_VRING_ADDR, sizeof(wire::vhost_vring_addr), 0, 0, false, DecodeVringAddr},
    {wire::VHOST_USER_SET_VRING_BASE, kState, 0, 0, false, DecodeVringBase},
    {wire::VHOST_USER_GET_VRING_BASE, kState, 0, 0, true, DecodeGetVringBase},
    {wire::VHOST_USER_SET_VRING_KICK, kU64, 0, 1, false, DecodeVringFd<request::SetVringKick>},
    {wire::VHOST_USER_SET_VRING_CALL, kU64, 0, 1, false, DecodeVringFd<request::SetVringCall>},
    {wire::VHOST_USER_SET_VRING_ERR, kU64, 0, 1, false, DecodeVringFd<request::SetVringErr>},
    {wire::VHOST_USER_GET_PROTOCOL_FEATURES, 0, 0, 0, true, DecodeEmpty<request::GetProtocolFeatures>},
    {wire::VHOST_USER_SET_PROTOCOL_FEATURES, kU64, 0, 0, false, DecodeFeatures<request::SetProtocolFeatures>},
    {wire::VHOST_USER_GET_QUEUE_NUM, 0, 0, 0, true, DecodeEmpty<request::GetQueueNum>},
    {wire::VHOST_USER_SET_VRING_ENABLE, kState, 0, 0, false, DecodeVringEnable},
    {wire::VHOST_USER_SET_BACKEND_REQ_FD, 0, 1, 1, false, DecodeEmpty<request::SetBackendReqFd>},
    {wire::VHOST_USER_GET_CONFIG, kAnySize, 0, 0, true, DecodeGetConfig},
    {wire::VHOST_USER_SET_CONFIG, kAnySize, 0, 0, false, DecodeSetConfig},
    {wire::VHOST_USER_CREATE_CRYPTO_SESSION, kAnySize, 0, 0, true, DecodeCreateSession},
    {wire::VHOST_USER_CLOSE_CRYPTO_SESSION, kU64, 0, 0, false, DecodeCloseSession},
    {wire::VHOST_USER_RESET_DEVICE, 0, 0, 0, false, DecodeEmpty<request::ResetDevice>},
    {wire::VHOST_USER_GET_MAX_MEM_SLOTS, 0, 0, 0, true, DecodeEmpty<request::GetMaxMemSlots>},
    {wire::VHOST_USER_ADD_MEM_REG, kMemReg, 1, 1, false, DecodeRegion<request::AddMemReg>},
    {wire::VHOST_USER_REM_MEM_REG, kMemReg, 0, 1, false, DecodeRegion<request::RemMemReg>},
    {wire::VHOST_USER_SET_STATUS, kU64, 0, 0, false, DecodeStatus},
    {wire::VHOST_USER_GET_STATUS, 0, 0, 0, true, DecodeEmpty<request::GetStatus>},
};
// clang-format on

// Nothing for a request that we do not know.
const Rule* FindRule(uint32_t request) {
  const auto* const rule = std::ranges::find(kRules, request, &Rule::request);
  return rule == std::end(kRules) ? nullptr : rule;
}

}  // namespace

Result<void> CheckRequestHeader(const wire::vhost_user_header& header) {
  if ((header.flags & wire::kVhostUserVersionMask) != wire::kVhostUserVersion) {
    return Malformed("message of an unknown protocol version");
  }
  if ((header.flags & wire::kVhostUserReply) != 0)
    return Malformed("reply where a request belongs");
  if ((header.flags & ~kKnownFlags) != 0) return Malformed("unknown flags in a message header");
  return {};
}

Result<Request> ParseRequest(const wire::vhost_user_header& header,
                             std::span<const uint8_t> payload, size_t num_fds) {
  SL_RETURN_IF_ERROR(CheckRequestHeader(header));
  if (payload.size() > kMaxPayloadSize) return Malformed("payload too large");
  if (header.size != payload.size()) return Malformed("payload of another size than announced");
  const Rule* const rule = FindRule(header.request);
  if (rule == nullptr) return Request(request::Unknown{.request = header.request});
  if (rule->size != kAnySize && payload.size() != rule->size) {
    return Malformed("payload of the wrong size for its request");
  }
  if (num_fds < rule->min_fds) return Malformed("request without its descriptor");
  if (num_fds > rule->max_fds) return Malformed("request with a surplus descriptor");
  return rule->decode(payload, num_fds);
}

bool HasOwnReply(uint32_t request) {
  const Rule* const rule = FindRule(request);
  return rule != nullptr && rule->own_reply;
}

}  // namespace sealane::vhost_user
