// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/frontend.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "sealane/vhost_user/listener.h"
#include "sealane/vhost_user/message.h"

namespace sealane::vhost_user {
namespace {

using Bytes = std::span<const uint8_t>;

template <class T>
std::array<uint8_t, sizeof(T)> ToBytes(const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  return std::bit_cast<std::array<uint8_t, sizeof(T)>>(value);
}

template <class T>
T FromBytes(Bytes bytes) {
  T value{};
  std::memcpy(&value, bytes.first(sizeof value).data(), sizeof value);
  return value;
}

Error Refused() { return Error{ErrorCode::kInvalid, "the back-end refused a request"}; }

}  // namespace

Result<Frontend> Frontend::Connect(const std::string& path, std::chrono::milliseconds timeout) {
  SL_ASSIGN_OR_RETURN(Connection connection, ConnectToPath(path, timeout));
  return Frontend(std::move(connection), timeout);
}

Error Frontend::Broken(const Error& error) {
  broken_ = true;
  return error;
}

Result<SecretBytes> Frontend::ReceiveReply(uint32_t request, const WaitLimits& limits) {
  Result<std::optional<RawMessage>> message = connection_.Receive(limits);
  if (!message) return Broken(message.error());
  if (!message->has_value()) return Broken({ErrorCode::kTimeout, "woken up"});
  const wire::vhost_user_header& header = (*message)->header;
  if (header.request != request) return Broken({ErrorCode::kBroken, "reply to another request"});
  if (header.flags != (wire::kVhostUserReply | wire::kVhostUserVersion)) {
    return Broken({ErrorCode::kBroken, "reply with wrong flags"});
  }
  if (!(*message)->fds.empty()) return Broken({ErrorCode::kBroken, "reply with a descriptor"});
  return std::move((*message)->payload);
}

Result<SecretBytes> Frontend::Exchange(uint32_t request, Bytes payload, std::span<const int> fds,
                                       Expect expect) {
  if (broken_) return Error{ErrorCode::kBroken, "an earlier vhost-user exchange failed"};
  const bool wants_ack =
      expect == Expect::kAckIfNegotiated &&
      (protocol_features_ & (uint64_t{1} << wire::VHOST_USER_PROTOCOL_F_REPLY_ACK)) != 0;
  const wire::vhost_user_header header{
      .request = request,
      .flags = wire::kVhostUserVersion | (wants_ack ? wire::kVhostUserNeedReply : 0),
      .size = static_cast<uint32_t>(payload.size())};
  const WaitLimits limits{.wake_fd = -1, .deadline = std::chrono::steady_clock::now() + timeout_};
  if (const Result<bool> sent = connection_.Send(header, payload, fds, limits); !sent) {
    return Broken(sent.error());
  }
  if (expect == Expect::kReply) return ReceiveReply(request, limits);
  if (!wants_ack) return SecretBytes();
  SL_ASSIGN_OR_RETURN(const SecretBytes ack, ReceiveReply(request, limits));
  if (ack.size() != sizeof(uint64_t)) {
    return Broken({ErrorCode::kBroken, "acknowledgement of the wrong size"});
  }
  if (FromBytes<uint64_t>(ack.bytes()) != 0) return Refused();
  return SecretBytes();
}

Result<void> Frontend::Command(uint32_t request, Bytes payload, std::span<const int> fds) {
  SL_RETURN_IF_ERROR(Exchange(request, payload, fds, Expect::kAckIfNegotiated));
  return {};
}

Result<uint64_t> Frontend::QueryU64(uint32_t request) {
  SL_ASSIGN_OR_RETURN(const SecretBytes reply, Exchange(request, {}, {}, Expect::kReply));
  if (reply.size() != sizeof(uint64_t)) {
    return Broken({ErrorCode::kBroken, "reply of the wrong size"});
  }
  return FromBytes<uint64_t>(reply.bytes());
}

Result<uint64_t> Frontend::GetFeatures() { return QueryU64(wire::VHOST_USER_GET_FEATURES); }

Result<void> Frontend::SetFeatures(uint64_t features) {
  return Command(wire::VHOST_USER_SET_FEATURES, ToBytes(features));
}

Result<uint64_t> Frontend::GetProtocolFeatures() {
  return QueryU64(wire::VHOST_USER_GET_PROTOCOL_FEATURES);
}

// Not acknowledged: whether REPLY_ACK holds for this message already is read differently by
// different back-ends.
Result<void> Frontend::SetProtocolFeatures(uint64_t features) {
  SL_RETURN_IF_ERROR(
      Exchange(wire::VHOST_USER_SET_PROTOCOL_FEATURES, ToBytes(features), {}, Expect::kNothing));
  protocol_features_ = features;
  return {};
}

Result<void> Frontend::SetOwner() { return Command(wire::VHOST_USER_SET_OWNER, {}); }

Result<uint64_t> Frontend::GetQueueNum() { return QueryU64(wire::VHOST_USER_GET_QUEUE_NUM); }

Result<void> Frontend::GetConfig(uint32_t offset, std::span<uint8_t> out) {
  if (out.size() > wire::kMaxVhostUserConfigSize) {
    return Error{ErrorCode::kInvalid, "configuration access of more than 256 bytes"};
  }
  const wire::vhost_user_config_header header{
      .offset = offset, .size = static_cast<uint32_t>(out.size()), .flags = 0};
  std::vector<uint8_t> payload(sizeof header + out.size());
  std::ranges::copy(ToBytes(header), payload.begin());
  SL_ASSIGN_OR_RETURN(const SecretBytes reply,
                      Exchange(wire::VHOST_USER_GET_CONFIG, payload, {}, Expect::kReply));
  if (reply.size() == 0) return Refused();
  if (reply.size() != payload.size()) {
    return Broken({ErrorCode::kBroken, "configuration reply of the wrong size"});
  }
  const auto echoed = FromBytes<wire::vhost_user_config_header>(reply.bytes());
  if (echoed.offset != header.offset || echoed.size != header.size) {
    return Broken({ErrorCode::kBroken, "configuration reply about other bytes"});
  }
  std::ranges::copy(reply.bytes().subspan(sizeof header), out.begin());
  return {};
}

Result<void> Frontend::SetConfig(uint32_t offset, Bytes bytes) {
  if (bytes.size() > wire::kMaxVhostUserConfigSize) {
    return Error{ErrorCode::kInvalid, "configuration access of more than 256 bytes"};
  }
  const wire::vhost_user_config_header header{
      .offset = offset, .size = static_cast<uint32_t>(bytes.size()), .flags = 0};
  std::vector<uint8_t> payload(sizeof header + bytes.size());
  std::ranges::copy(ToBytes(header), payload.begin());
  std::ranges::copy(bytes, payload.begin() + sizeof header);
  return Command(wire::VHOST_USER_SET_CONFIG, payload);
}

Result<void> Frontend::SetMemTable(std::span<const SharedRegion> regions) {
  if (regions.size() > wire::kMaxMemRegionsPerMessage) {
    return Error{ErrorCode::kInvalid, "more than 8 memory regions in a table"};
  }
  const wire::vhost_user_memory_header header{.num_regions = static_cast<uint32_t>(regions.size()),
                                              .padding = 0};
  const auto head = ToBytes(header);
  std::vector<uint8_t> payload(head.begin(), head.end());
  std::vector<int> fds;
  for (const SharedRegion& region : regions) {
    const auto bytes = ToBytes(region.region);
    payload.insert(payload.end(), bytes.begin(), bytes.end());
    fds.push_back(region.fd);
  }
  return Command(wire::VHOST_USER_SET_MEM_TABLE, payload, fds);
}

Result<uint64_t> Frontend::GetMaxMemSlots() { return QueryU64(wire::VHOST_USER_GET_MAX_MEM_SLOTS); }

Result<void> Frontend::AddMemReg(const SharedRegion& region) {
  const wire::vhost_user_mem_reg_msg message{.padding = 0, .region = region.region};
  return Command(wire::VHOST_USER_ADD_MEM_REG, ToBytes(message), std::span(&region.fd, 1));
}

Result<void> Frontend::RemMemReg(const wire::vhost_user_memory_region& region) {
  const wire::vhost_user_mem_reg_msg message{.padding = 0, .region = region};
  return Command(wire::VHOST_USER_REM_MEM_REG, ToBytes(message));
}

Result<void> Frontend::SetVringNum(uint32_t index, uint32_t num) {
  return Command(wire::VHOST_USER_SET_VRING_NUM,
                 ToBytes(wire::vhost_vring_state{.index = index, .num = num}));
}

Result<void> Frontend::SetVringAddr(const request::SetVringAddr& addr) {
  const wire::vhost_vring_addr message{.index = addr.index,
                                       .flags = addr.flags,
                                       .desc_user_addr = mem::Raw(addr.desc),
                                       .used_user_addr = mem::Raw(addr.used),
                                       .avail_user_addr = mem::Raw(addr.avail),
                                       .log_guest_addr = addr.log_guest_addr};
  return Command(wire::VHOST_USER_SET_VRING_ADDR, ToBytes(message));
}

Result<void> Frontend::SetVringBase(uint32_t index, uint32_t base) {
  return Command(wire::VHOST_USER_SET_VRING_BASE,
                 ToBytes(wire::vhost_vring_state{.index = index, .num = base}));
}

Result<uint32_t> Frontend::GetVringBase(uint32_t index) {
  const auto payload = ToBytes(wire::vhost_vring_state{.index = index, .num = 0});
  SL_ASSIGN_OR_RETURN(const SecretBytes reply,
                      Exchange(wire::VHOST_USER_GET_VRING_BASE, payload, {}, Expect::kReply));
  if (reply.size() != sizeof(wire::vhost_vring_state)) {
    return Broken({ErrorCode::kBroken, "reply of the wrong size"});
  }
  const auto state = FromBytes<wire::vhost_vring_state>(reply.bytes());
  if (state.index != index) return Broken({ErrorCode::kBroken, "reply about another vring"});
  return state.num;
}

Result<void> Frontend::VringFd(uint32_t request, uint32_t index, int fd) {
  if (index > wire::kVringIndexMask) return Error{ErrorCode::kInvalid, "vring index above 255"};
  if (fd < 0) return Command(request, ToBytes(uint64_t{index} | wire::kVringNoFd));
  return Command(request, ToBytes(uint64_t{index}), std::span(&fd, 1));
}

Result<void> Frontend::SetVringKick(uint32_t index, int fd) {
  return VringFd(wire::VHOST_USER_SET_VRING_KICK, index, fd);
}

Result<void> Frontend::SetVringCall(uint32_t index, int fd) {
  return VringFd(wire::VHOST_USER_SET_VRING_CALL, index, fd);
}

Result<void> Frontend::SetVringErr(uint32_t index, int fd) {
  return VringFd(wire::VHOST_USER_SET_VRING_ERR, index, fd);
}

Result<void> Frontend::SetVringEnable(uint32_t index, bool enable) {
  return Command(wire::VHOST_USER_SET_VRING_ENABLE,
                 ToBytes(wire::vhost_vring_state{.index = index, .num = enable ? 1U : 0U}));
}

Result<int64_t> Frontend::CreateCryptoSession(const CryptoSessionDescription& description) {
  SL_ASSIGN_OR_RETURN(const SecretBytes payload, EncodeCryptoSession(description));
  SL_ASSIGN_OR_RETURN(const SecretBytes reply, Exchange(wire::VHOST_USER_CREATE_CRYPTO_SESSION,
                                                        payload.bytes(), {}, Expect::kReply));
  const Result<int64_t> id = DecodeCryptoSessionReply(description.layout, reply.bytes());
  if (!id) return Broken(id.error());
  return id;
}

Result<void> Frontend::CloseCryptoSession(uint64_t session_id) {
  SL_RETURN_IF_ERROR(
      Exchange(wire::VHOST_USER_CLOSE_CRYPTO_SESSION, ToBytes(session_id), {}, Expect::kNothing));
  return {};
}

Result<void> Frontend::SetStatus(uint8_t status) {
  return Command(wire::VHOST_USER_SET_STATUS, ToBytes(uint64_t{status}));
}

Result<uint64_t> Frontend::GetStatus() { return QueryU64(wire::VHOST_USER_GET_STATUS); }

Result<void> Frontend::ResetDevice() { return Command(wire::VHOST_USER_RESET_DEVICE, {}); }

}  // namespace sealane::vhost_user
