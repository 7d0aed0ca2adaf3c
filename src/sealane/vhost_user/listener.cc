// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sealane::vhost_user {
namespace {

// One front-end is served at a time; a few more may wait.
constexpr int kBacklog = 4;

Result<sockaddr_un> MakeAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error{ErrorCode::kInvalid, "not a socket path"};
  }
  if (path.size() >= sizeof address.sun_path) {
    return Error{ErrorCode::kInvalid, "socket path too long (107 bytes at most)"};
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* Generic(const sockaddr_un& address) {
  // SAFETY: the socket calls take every address family through this type.
  return reinterpret_cast<const sockaddr*>(&address);
}

Result<UniqueFd> MakeSocket(int flags) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!fd.valid()) return SystemError("socket");
  return fd;
}

// Removes a socket file that nobody listens on; leaves everything else alone.
Result<void> RemoveStale(const std::string& path, const sockaddr_un& address) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return {};
    return SystemError("lstat of the socket path");
  }
  if (!S_ISSOCK(info.st_mode)) {
    return Error{ErrorCode::kInvalid, "the socket path is a file of another kind"};
  }
  SL_ASSIGN_OR_RETURN(const UniqueFd probe, MakeSocket(SOCK_NONBLOCK));
  if (::connect(probe.get(), Generic(address), sizeof address) == 0 || errno == EAGAIN) {
    return Error{ErrorCode::kInvalid, "somebody listens on the socket path already"};
  }
  if (errno != ECONNREFUSED) return SystemError("connect to the existing socket");
  if (::unlink(path.c_str()) != 0) return SystemError("unlink of the old socket");
  return {};
}

Result<int> SocketOption(int fd, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  if (::getsockopt(fd, SOL_SOCKET, option, &value, &size) != 0) return SystemError("getsockopt");
  return value;
}

// An inherited descriptor: a UNIX stream socket, and from now on closed on exec. Returns whether it
// is listening.
Result<bool> CheckInherited(int fd) {
  SL_ASSIGN_OR_RETURN(const int domain, SocketOption(fd, SO_DOMAIN));
  SL_ASSIGN_OR_RETURN(const int type, SocketOption(fd, SO_TYPE));
  if (domain != AF_UNIX || type != SOCK_STREAM) {
    return Error{ErrorCode::kInvalid, "not a UNIX stream socket"};
  }
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return SystemError("fcntl on a socket");
  SL_ASSIGN_OR_RETURN(const int listening, SocketOption(fd, SO_ACCEPTCONN));
  return listening != 0;
}

// The peer may be gone again between poll and accept, which must not block then.
Result<void> MakeNonBlocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
    return SystemError("fcntl on a socket");
  }
  return {};
}

}  // namespace

Result<Listener> Listener::Listen(const std::string& path) {
  SL_ASSIGN_OR_RETURN(const sockaddr_un address, MakeAddress(path));
  SL_RETURN_IF_ERROR(RemoveStale(path, address));
  SL_ASSIGN_OR_RETURN(UniqueFd fd, MakeSocket(SOCK_NONBLOCK));
  // Linux makes the file with the mode of the unbound socket, so there is no moment at which
  // others may connect, and no umask to change under other threads.
  if (::fchmod(fd.get(), S_IRUSR | S_IWUSR) != 0) return SystemError("fchmod of the socket");
  if (::bind(fd.get(), Generic(address), sizeof address) != 0) return SystemError("bind");
  Listener listener(std::move(fd));
  listener.path_ = path;
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) return SystemError("lstat of the new socket");
  listener.device_ = info.st_dev;
  listener.inode_ = info.st_ino;
  if (::listen(listener.fd(), kBacklog) != 0) return SystemError("listen");
  return listener;
}

Result<Listener> Listener::FromFd(UniqueFd fd) {
  SL_ASSIGN_OR_RETURN(const bool listening, CheckInherited(fd.get()));
  if (!listening) return Error{ErrorCode::kInvalid, "not a listening socket"};
  SL_RETURN_IF_ERROR(MakeNonBlocking(fd.get()));
  return Listener(std::move(fd));
}

Listener::Listener(Listener&& other) noexcept
    : fd_(std::move(other.fd_)),
      path_(std::exchange(other.path_, {})),
      device_(other.device_),
      inode_(other.inode_) {}

Listener::~Listener() {
  struct stat info{};
  if (path_.empty() || ::lstat(path_.c_str(), &info) != 0) return;
  if (info.st_dev == device_ && info.st_ino == inode_) ::unlink(path_.c_str());
}

Result<std::optional<Connection>> Listener::Accept(int wake_fd) {
  while (true) {
    std::array<pollfd, 2> entries = {pollfd{.fd = fd_.get(), .events = POLLIN, .revents = 0},
                                     pollfd{.fd = wake_fd, .events = POLLIN, .revents = 0}};
    if (::poll(entries.data(), entries.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return SystemError("poll on a listening socket");
    }
    if (entries[1].revents != 0) return std::nullopt;
    UniqueFd peer(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (peer.valid()) return Connection(std::move(peer));
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) return SystemError("accept");
  }
}

Result<std::variant<Listener, Connection>> AdoptFd(UniqueFd fd) {
  using Adopted = std::variant<Listener, Connection>;
  SL_ASSIGN_OR_RETURN(const bool listening, CheckInherited(fd.get()));
  if (listening) {
    SL_ASSIGN_OR_RETURN(Listener listener, Listener::FromFd(std::move(fd)));
    return Adopted(std::move(listener));
  }
  sockaddr_un peer{};
  socklen_t size = sizeof peer;
  // SAFETY: the socket calls take every address family through this type.
  if (::getpeername(fd.get(), reinterpret_cast<sockaddr*>(&peer), &size) != 0) {
    return Error{ErrorCode::kInvalid, "a socket that is neither listening nor connected"};
  }
  return Adopted(Connection(std::move(fd)));
}

Result<Connection> ConnectToPath(const std::string& path, std::chrono::milliseconds timeout) {
  SL_ASSIGN_OR_RETURN(const sockaddr_un address, MakeAddress(path));
  SL_ASSIGN_OR_RETURN(UniqueFd fd, MakeSocket(0));
  // Bounds connect only; the connection itself never blocks in a socket call. 0 would mean for
  // ever.
  const auto micros = std::chrono::microseconds(std::max(timeout, std::chrono::milliseconds(1)));
  const timeval limit{.tv_sec = micros.count() / 1'000'000, .tv_usec = micros.count() % 1'000'000};
  if (::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) {
    return SystemError("setsockopt");
  }
  while (::connect(fd.get(), Generic(address), sizeof address) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN) return Error{ErrorCode::kTimeout, "the back-end accepts no connection"};
    return SystemError("connect");
  }
  return Connection(std::move(fd));
}

}  // namespace sealane::vhost_user
