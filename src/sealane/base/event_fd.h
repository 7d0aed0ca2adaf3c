// SPDX-License-Identifier: Apache-2.0
//
// EventFd: an eventfd(2) used as a doorbell: kicks, interrupts, wake-ups. Always non-blocking,
// because the peer holds the other end and could fill the counter. Signal and Drain may be called
// from any thread.
#pragma once

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"

namespace sealane {

class EventFd {
 public:
  EventFd() = default;
  static Result<EventFd> Create();

  // Takes over a descriptor received from a peer and makes it non-blocking. Fails if that is
  // impossible.
  static Result<EventFd> Adopt(UniqueFd fd);

  // A second descriptor of the same eventfd.
  Result<EventFd> Duplicate() const;

  // Rings the bell. A full counter already means "rung", so it is not an error.
  void Signal() const;

  // Takes back all rings so far; returns whether there was any.
  bool Drain() const;

  // Waits until rung or the time is over (negative: for ever); does not drain. Returns whether
  // rung.
  bool Wait(int timeout_ms) const;

  int fd() const { return fd_.get(); }
  // Gives the descriptor up, for handing it to a peer; -1 if there is none.
  int release() { return fd_.release(); }
  bool valid() const { return fd_.valid(); }

 private:
  explicit EventFd(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace sealane
