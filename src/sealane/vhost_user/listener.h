// SPDX-License-Identifier: Apache-2.0
//
// Listener: the UNIX socket on which a back-end waits for its front-end. Owns the socket, and its
// file if it made it. One thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/connection.h"

namespace sealane::vhost_user {

class Listener {
 public:
  // Makes a socket file that only this user may connect to (0600 from its first moment). A socket
  // file left by a dead process is replaced; one that somebody listens on, or a file of another
  // kind, is an error.
  static Result<Listener> Listen(const std::string& path);

  // Takes over a socket that is listening already. It has no file that we would remove.
  static Result<Listener> FromFd(UniqueFd fd);

  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&& other) = delete;
  ~Listener();

  // The next front-end, or nothing if wake_fd (-1: none) became readable first.
  Result<std::optional<Connection>> Accept(int wake_fd);

  int fd() const { return fd_.get(); }

 private:
  explicit Listener(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
  std::string path_;  // of the file that we made; empty: none
  dev_t device_ = 0;  // which file that was: another may have taken its place since
  ino_t inode_ = 0;
};

// An inherited descriptor (--fd): a listening socket, or one connected to the front-end already.
Result<std::variant<Listener, Connection>> AdoptFd(UniqueFd fd);

// For a front-end: connects to a back-end's socket file. Gives kTimeout if somebody listens there
// but has no room for us in that time.
Result<Connection> ConnectToPath(const std::string& path, std::chrono::milliseconds timeout);

}  // namespace sealane::vhost_user
