// SPDX-License-Identifier: Apache-2.0
#include "af_alg.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace guest {
namespace {

constexpr std::size_t kIvMessageSize = offsetof(af_alg_iv, iv) + kBlockSize;

bool BindTo(int fd, std::string_view driver) {
  sockaddr_alg address{};
  address.salg_family = AF_ALG;
  std::memcpy(address.salg_type, "skcipher", sizeof("skcipher"));
  if (driver.size() >= sizeof(address.salg_name)) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.salg_name, driver.data(), driver.size());
  // SAFETY: the socket interface takes every address family through a sockaddr pointer.
  return bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

// Direction and IV as two control messages.
class Control {
 public:
  Control(Direction direction, std::span<const std::uint8_t> iv) {
    msghdr message{};
    AttachTo(&message);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = ALG_SET_OP;
    header->cmsg_len = CMSG_LEN(sizeof(direction));
    std::memcpy(CMSG_DATA(header), &direction, sizeof(direction));

    header = CMSG_NXTHDR(&message, header);
    header->cmsg_level = SOL_ALG;
    header->cmsg_type = ALG_SET_IV;
    header->cmsg_len = CMSG_LEN(kIvMessageSize);
    const std::uint32_t iv_len = kBlockSize;
    std::memcpy(CMSG_DATA(header), &iv_len, sizeof(iv_len));
    std::memcpy(CMSG_DATA(header) + offsetof(af_alg_iv, iv), iv.data(), kBlockSize);
  }

  void AttachTo(msghdr* message) {
    message->msg_control = bytes_.data();
    message->msg_controllen = bytes_.size();
  }

 private:
  static constexpr std::size_t kSize = CMSG_SPACE(sizeof(Direction)) + CMSG_SPACE(kIvMessageSize);
  alignas(cmsghdr) std::array<char, kSize> bytes_{};
};

}  // namespace

Socket::~Socket() {
  if (ok()) close(fd_);
}

bool Reported(bool ok, const char* call) {
  if (!ok) std::printf("  %s: %m\n", call);
  return ok;
}

Socket OpenCipher(std::string_view driver, std::span<const std::uint8_t> key) {
  Socket cipher(socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!Reported(cipher.ok(), "socket")) return {};
  if (!Reported(BindTo(cipher.fd(), driver), "bind")) return {};
  const int result =
      setsockopt(cipher.fd(), SOL_ALG, ALG_SET_KEY, key.data(), static_cast<socklen_t>(key.size()));
  if (!Reported(result == 0, "setsockopt ALG_SET_KEY")) return {};
  return cipher;
}

Socket OpenOperation(const Socket& cipher) {
  Socket operation(accept4(cipher.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  Reported(operation.ok(), "accept");
  return operation;
}

bool Send(const Socket& operation, Direction direction, std::span<const std::uint8_t> iv,
          const Piece& piece) {
  if (iv.size() != kBlockSize) {
    errno = EINVAL;
    return Reported(false, "IV");
  }
  Control control(direction, iv);
  iovec io{const_cast<std::uint8_t*>(piece.data.data()), piece.data.size()};
  msghdr message{};
  message.msg_iov = &io;
  message.msg_iovlen = 1;
  if (piece.first) control.AttachTo(&message);
  const ssize_t sent = sendmsg(operation.fd(), &message, piece.more ? MSG_MORE : 0);
  return Reported(sent == static_cast<ssize_t>(piece.data.size()), "sendmsg");
}

bool Receive(const Socket& operation, std::span<std::uint8_t> out) {
  const ssize_t got = read(operation.fd(), out.data(), out.size());
  return Reported(got == static_cast<ssize_t>(out.size()), "read");
}

Bytes FromHex(std::string_view hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const std::string digits(hex.substr(i, 2));
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
  }
  return bytes;
}

}  // namespace guest
