// SPDX-License-Identifier: Apache-2.0
#include "qemu_frontend.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <variant>

#include "daemon_program.h"
#include "fault_fixture.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::faults {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{20};
constexpr uint64_t kAllBits = 0x1fdff;  // what QEMU 7.2 and 10 acknowledge of everything
constexpr uint64_t kLeastBits = 0x89;

template <class T>
std::span<const uint8_t> AsBytes(const T& value) {
  // SAFETY: message payloads are plain integers.
  return {reinterpret_cast<const uint8_t*>(&value), sizeof value};
}

void Put32(std::vector<uint8_t>& payload, size_t at, uint32_t value) {
  std::memcpy(&payload[at], &value, sizeof value);
}

}  // namespace

size_t CipherOffset(Layout layout) { return layout == Layout::kL1 ? 12 : 8; }
size_t KeyLenOffset(Layout layout) { return CipherOffset(layout) + 4; }
size_t IdOffset(Layout layout) { return layout == Layout::kL3 ? 1064 : 0; }

std::vector<uint8_t> SessionPayload(Layout layout) {
  std::vector<uint8_t> payload(layout == Layout::kL3 ? 1072 : 632);
  if (layout == Layout::kL1) Put32(payload, 8, 2);  // op_code
  if (layout == Layout::kL3) Put32(payload, 0, 2);
  Put32(payload, CipherOffset(layout), 3);
  Put32(payload, KeyLenOffset(layout), 16);
  const size_t type_at = layout == Layout::kL1 ? 36 : 32;
  payload[type_at] = 1;      // op_type: cipher
  payload[type_at + 1] = 1;  // direction: encrypt
  const uint64_t heap_address = 0x0000561b2c7d9a40;
  std::memcpy(&payload[40], &heap_address, sizeof heap_address);
  std::memcpy(&payload[48], &heap_address, sizeof heap_address);
  std::ranges::copy(kKey, payload.begin() + 56);
  return payload;
}

QemuFrontend::QemuFrontend(const std::string& socket_path, bool all_bits)
    : all_bits_(all_bits), connection_(ConnectToDaemon(socket_path)) {}

void QemuFrontend::Send(uint32_t request, std::span<const uint8_t> payload,
                        std::span<const int> fds, bool need_reply) {
  const wire::vhost_user_header header{.request = request,
                                       .flags = need_reply ? 9U : 1U,
                                       .size = static_cast<uint32_t>(payload.size())};
  EXPECT_TRUE(connection_.Send(header, payload, fds, {}).has_value());
  if (!need_reply) return;
  EXPECT_EQ(Receive(request), std::vector<uint8_t>(8)) << "acknowledgement of " << request;
}

std::vector<uint8_t> QemuFrontend::Receive(uint32_t request) {
  const auto message = connection_.Receive({.wake_fd = -1, .deadline = Clock::now() + kPatience});
  if (!message.has_value() || !message->has_value()) return {};
  EXPECT_EQ((*message)->header.request, request);
  EXPECT_EQ((*message)->header.flags, 5U);
  const auto payload = (*message)->payload.bytes();
  return {payload.begin(), payload.end()};
}

void QemuFrontend::SendU64(uint32_t request, uint64_t value, std::span<const int> fds) {
  Send(request, AsBytes(value), fds);
}

uint64_t QemuFrontend::Query(uint32_t request) {
  Send(request, {});
  const auto payload = Receive(request);
  uint64_t value = 0;
  EXPECT_EQ(payload.size(), sizeof value) << request;
  if (payload.size() == sizeof value) std::memcpy(&value, payload.data(), sizeof value);
  return value;
}

void QemuFrontend::Connect() {
  EXPECT_NE(Query(wire::VHOST_USER_GET_FEATURES) & 0x40000000, 0U);
  const uint64_t offered = Query(wire::VHOST_USER_GET_PROTOCOL_FEATURES);
  SendU64(wire::VHOST_USER_SET_PROTOCOL_FEATURES, offered & (all_bits_ ? kAllBits : kLeastBits));
  EXPECT_EQ(Query(wire::VHOST_USER_GET_QUEUE_NUM), 1U);
  std::array<int, 2> backend_req{-1, -1};
  if (all_bits_) {
    EXPECT_GE(Query(wire::VHOST_USER_GET_MAX_MEM_SLOTS), 8U);
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, backend_req.data()), 0);
    Send(wire::VHOST_USER_SET_BACKEND_REQ_FD, {}, std::array{backend_req[1]}, true);
  }
  const UniqueFd ours(backend_req[0]);
  const UniqueFd theirs(backend_req[1]);
  Send(wire::VHOST_USER_SET_OWNER, {});
  Query(wire::VHOST_USER_GET_FEATURES);
  SendU64(wire::VHOST_USER_SET_VRING_CALL, 0, std::array{call_.fd()});
  SendU64(wire::VHOST_USER_SET_VRING_ERR, 0, std::array{error_.fd()});
}

void QemuFrontend::SendMemory() {
  struct Table {
    wire::vhost_user_memory_header header{.num_regions = 2, .padding = 0};
    std::array<wire::vhost_user_memory_region, 2> regions{};
  } table;
  for (size_t i = 0; i < 2; ++i) {
    const auto& region = guest_.memory()->regions()[i];
    table.regions.at(i) = {.guest_phys_addr = Raw(region.guest_addr),
                           .memory_size = region.size(),
                           .userspace_addr = Raw(region.frontend_addr),
                           .mmap_offset = 0};
    if (!all_bits_) continue;
    const wire::vhost_user_mem_reg_msg add{.padding = 0, .region = table.regions.at(i)};
    Send(wire::VHOST_USER_ADD_MEM_REG, AsBytes(add), std::array{guest_.fd(i)}, true);
  }
  if (all_bits_) return;
  Send(wire::VHOST_USER_SET_MEM_TABLE, AsBytes(table), std::array{guest_.fd(0), guest_.fd(1)},
       true);
}

void QemuFrontend::DriverOk(uint64_t features) {
  SendU64(wire::VHOST_USER_SET_FEATURES, features);
  if (all_bits_) {
    Query(wire::VHOST_USER_GET_STATUS);
    SendU64(wire::VHOST_USER_SET_STATUS, 8);  // FEATURES_OK, and never DRIVER_OK
  }
  SendMemory();
  Send(wire::VHOST_USER_SET_VRING_NUM, AsBytes(wire::vhost_vring_state{0, queue_.size()}));
  Send(wire::VHOST_USER_SET_VRING_BASE, AsBytes(wire::vhost_vring_state{0, queue_.next_avail()}));
  const auto at = std::get<1>(queue_.frontend_location());
  const wire::vhost_vring_addr addr{.index = 0,
                                    .flags = 0,
                                    .desc_user_addr = Raw(at.desc),
                                    .used_user_addr = Raw(at.used),
                                    .avail_user_addr = Raw(at.avail),
                                    .log_guest_addr = Raw(queue_.addresses().used)};
  Send(wire::VHOST_USER_SET_VRING_ADDR, AsBytes(addr));
  SendU64(wire::VHOST_USER_SET_VRING_KICK, 0, std::array{kick_.fd()});
  SendU64(wire::VHOST_USER_SET_VRING_CALL, 0, std::array{call_.fd()});
}

uint32_t QemuFrontend::Stop() {
  Send(wire::VHOST_USER_GET_VRING_BASE, AsBytes(wire::vhost_vring_state{0, 0}));
  const auto payload = Receive(wire::VHOST_USER_GET_VRING_BASE);
  wire::vhost_vring_state state{~0U, ~0U};
  if (payload.size() == sizeof state) std::memcpy(&state, payload.data(), sizeof state);
  EXPECT_EQ(state.index, 0U);
  return state.num;
}

int64_t QemuFrontend::CreateSession(std::span<const uint8_t> payload, size_t id_offset) {
  Send(wire::VHOST_USER_CREATE_CRYPTO_SESSION, payload);
  const auto reply = Receive(wire::VHOST_USER_CREATE_CRYPTO_SESSION);
  EXPECT_EQ(reply.size(), payload.size());
  int64_t id = -1;
  if (reply.size() >= id_offset + sizeof id) std::memcpy(&id, &reply[id_offset], sizeof id);
  return id;
}

void QemuFrontend::CloseSession(uint64_t id) { SendU64(wire::VHOST_USER_CLOSE_CRYPTO_SESSION, id); }

bool QemuFrontend::IsAlive() { return (Query(wire::VHOST_USER_GET_FEATURES) & 0x40000000) != 0; }

std::optional<uint8_t> QemuFrontend::Request(uint64_t session, bool& right) {
  testing::ChainBuilder chain(guest_);
  chain.Readable(
      testing::CipherRequest{.session_id = session, .src_len = 32, .dst_len = 32}.Bytes());
  chain.Readable(kIv).Readable(kPlain).Writable(32).Writable(1);
  const uint16_t before = queue_.next_avail();
  chain.OfferIndirect(queue_, before % 1024);
  // As Linux with EVENT_IDX: wants an interrupt for the next one, and kicks only if it must.
  queue_.SetUsedEvent(queue_.next_used());
  queue_.Publish();
  if (queue_.MustKick(true, before)) kick_.Signal();
  while (true) {
    const auto used = queue_.TakeUsed();
    if (!used.empty()) {
      const auto written = chain.written();
      right = used[0].len == 33 && std::ranges::equal(std::span(written).first(32), kCipher);
      return written.back();
    }
    if (!call_.Wait(20000)) return std::nullopt;
    call_.Drain();
  }
}

}  // namespace sealane::faults
