// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace sealane::vhost_user {
namespace {

// Room for the descriptors of the largest message. One more makes the kernel set MSG_CTRUNC.
constexpr size_t kControlSize = CMSG_SPACE(sizeof(int) * kMaxMessageFds);
struct alignas(cmsghdr) ControlBuffer {
  std::array<uint8_t, kControlSize> bytes{};
};

enum class Ready : uint8_t { kSocket, kWoken };

int PollTimeout(const WaitLimits& limits) {
  if (!limits.deadline) return -1;
  using std::chrono::milliseconds;
  const auto left =
      std::chrono::ceil<milliseconds>(*limits.deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 0, INT_MAX));
}

// Waits until the socket is ready for `events`. A wake-up goes first, so that a peer that never
// stops talking cannot hold it off.
Result<Ready> WaitUntilReady(int fd, short events, const WaitLimits& limits) {
  while (true) {
    std::array<pollfd, 2> entries = {pollfd{.fd = fd, .events = events, .revents = 0},
                                     pollfd{.fd = limits.wake_fd, .events = POLLIN, .revents = 0}};
    const int num_ready = ::poll(entries.data(), entries.size(), PollTimeout(limits));
    if (num_ready < 0 && errno != EINTR) return SystemError("poll on a vhost-user socket");
    if (num_ready == 0) return Error{ErrorCode::kTimeout, "the vhost-user peer is silent"};
    if (num_ready < 0) continue;
    if (entries[1].revents != 0) return Ready::kWoken;
    if (entries[0].revents != 0) return Ready::kSocket;
  }
}

// Owns every descriptor of `message` before anything can fail.
void TakeFds(msghdr& message, std::vector<UniqueFd>& fds) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t num_fds = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < num_fds; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof fd, sizeof fd);
      fds.emplace_back(fd);
    }
  }
}

// Reads what is there. Nothing: try again. 0: the peer left. Descriptors are accepted if `fds` is
// given; without room for them the kernel drops them and says so by MSG_CTRUNC.
Result<std::optional<size_t>> ReadSome(int fd, std::span<uint8_t> out, std::vector<UniqueFd>* fds) {
  iovec part{.iov_base = out.data(), .iov_len = out.size()};
  ControlBuffer control;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fds != nullptr) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
  }
  const ssize_t num_read = ::recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (num_read < 0) {
    if (errno == EAGAIN || errno == EINTR) return std::nullopt;
    if (errno == ECONNRESET) return size_t{0};
    return SystemError("recvmsg on a vhost-user socket");
  }
  if (fds != nullptr) TakeFds(message, *fds);
  if ((message.msg_flags & MSG_CTRUNC) != 0) {
    return Error{ErrorCode::kBroken, "too many or misplaced descriptors with a message"};
  }
  if (fds != nullptr && fds->size() > kMaxMessageFds) {
    return Error{ErrorCode::kBroken, "too many descriptors with a message"};
  }
  return static_cast<size_t>(num_read);
}

// Whether to wait for the socket before the first attempt. Every message waits once, at its
// header, where wake-ups are seen; its payload and the answer are mostly possible at once.
enum class First : uint8_t { kWait, kTry };

// Fills `out`; kClosed only if the peer left before its first byte. False: woken.
Result<bool> ReadFully(int fd, std::span<uint8_t> out, std::vector<UniqueFd>* fds,
                       const WaitLimits& limits, First first) {
  size_t filled = 0;
  bool wait = first == First::kWait;
  while (filled < out.size()) {
    if (wait) {
      SL_ASSIGN_OR_RETURN(const Ready ready, WaitUntilReady(fd, POLLIN, limits));
      if (ready == Ready::kWoken) return false;
    }
    wait = true;
    SL_ASSIGN_OR_RETURN(const auto num_read, ReadSome(fd, out.subspan(filled), fds));
    if (!num_read) continue;
    if (*num_read == 0 && filled == 0) return Error{ErrorCode::kClosed, "the peer left"};
    if (*num_read == 0) return Error{ErrorCode::kBroken, "the peer left inside a message"};
    filled += *num_read;
  }
  return true;
}

std::span<uint8_t> BytesOf(wire::vhost_user_header& header) {
  // SAFETY: the object's own bytes; the header is plain integers, so any bytes are valid.
  return {reinterpret_cast<uint8_t*>(&header), sizeof header};
}

void PutFds(std::span<const int> fds, ControlBuffer& control, msghdr& message) {
  if (fds.empty()) return;
  message.msg_control = control.bytes.data();
  message.msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
}

// Returns how much went out; 0: try again. Descriptors go with the first byte.
Result<size_t> WriteSome(int fd, std::span<uint8_t> bytes, std::span<const int> fds) {
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  ControlBuffer control;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  PutFds(fds, control, message);
  const ssize_t num_written = ::sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (num_written >= 0) return static_cast<size_t>(num_written);
  if (errno == EAGAIN || errno == EINTR) return size_t{0};
  if (errno == EPIPE || errno == ECONNRESET) return Error{ErrorCode::kClosed, "the peer left"};
  return SystemError("sendmsg on a vhost-user socket");
}

}  // namespace

Result<std::optional<RawMessage>> Connection::Receive(const WaitLimits& limits) {
  RawMessage message;
  SL_ASSIGN_OR_RETURN(const bool has_header, ReadFully(fd_.get(), BytesOf(message.header),
                                                       &message.fds, limits, First::kWait));
  if (!has_header) return std::nullopt;
  if (message.header.size > kMaxPayloadSize) {
    return Error{ErrorCode::kBroken, "message with a payload too large"};
  }
  message.payload = SecretBytes(size_t{message.header.size});
  const Result<bool> has_payload =
      ReadFully(fd_.get(), message.payload.mutable_bytes(), nullptr, limits, First::kTry);
  if (!has_payload && has_payload.error().code == ErrorCode::kClosed) {
    return Error{ErrorCode::kBroken, "the peer left inside a message"};
  }
  if (!has_payload) return has_payload.error();
  if (!*has_payload) return std::nullopt;
  return message;
}

Result<bool> Connection::Send(const wire::vhost_user_header& header,
                              std::span<const uint8_t> payload, std::span<const int> fds,
                              const WaitLimits& limits) {
  if (payload.size() > kMaxPayloadSize || payload.size() != header.size) {
    return Error{ErrorCode::kInvalid, "message with a payload of the wrong size"};
  }
  if (fds.size() > kMaxMessageFds) {
    return Error{ErrorCode::kInvalid, "too many descriptors with a message"};
  }
  // One buffer, wiped afterwards, so that header and payload leave in one piece.
  SecretBytes buffer(sizeof header + payload.size());
  wire::vhost_user_header header_copy = header;
  std::ranges::copy(BytesOf(header_copy), buffer.mutable_bytes().begin());
  std::ranges::copy(payload, buffer.mutable_bytes().subspan(sizeof header).begin());
  std::span<uint8_t> rest = buffer.mutable_bytes();
  while (true) {
    SL_ASSIGN_OR_RETURN(const size_t num_written, WriteSome(fd_.get(), rest, fds));
    if (num_written > 0) fds = {};
    rest = rest.subspan(num_written);
    if (rest.empty()) return true;
    SL_ASSIGN_OR_RETURN(const Ready ready, WaitUntilReady(fd_.get(), POLLOUT, limits));
    if (ready == Ready::kWoken) return false;
  }
}

}  // namespace sealane::vhost_user
