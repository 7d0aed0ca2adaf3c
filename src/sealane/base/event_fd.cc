// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/event_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>

namespace sealane {

Result<EventFd> EventFd::Create() {
  UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd.valid()) return SystemError("eventfd");
  return EventFd(std::move(fd));
}

Result<EventFd> EventFd::Adopt(UniqueFd fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0) return SystemError("fcntl on a received descriptor");
  if (::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) < 0) {
    return SystemError("fcntl on a received descriptor");
  }
  return EventFd(std::move(fd));
}

Result<EventFd> EventFd::Duplicate() const {
  UniqueFd copy(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy.valid()) return SystemError("dup of an eventfd");
  return EventFd(std::move(copy));
}

void EventFd::Signal() const {
  if (!fd_.valid()) return;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(fd_.get(), &one, sizeof one);
}

bool EventFd::Drain() const {
  uint64_t count = 0;
  return fd_.valid() && ::read(fd_.get(), &count, sizeof count) == sizeof count;
}

bool EventFd::Wait(int timeout_ms) const {
  pollfd entry{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, timeout_ms) > 0 && (entry.revents & POLLIN) != 0;
}

}  // namespace sealane
