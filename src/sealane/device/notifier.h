// SPDX-License-Identifier: Apache-2.0
//
// Notifier: how a queue interrupts its driver. EventFdNotifier does it by an eventfd. Called by the
// thread that runs the queue, at most once a batch.
#pragma once

#include <utility>

#include "sealane/base/event_fd.h"

namespace sealane::device {

class Notifier {
 public:
  virtual ~Notifier() = default;
  virtual void Notify() = 0;
};

class EventFdNotifier final : public Notifier {
 public:
  explicit EventFdNotifier(EventFd fd) : fd_(std::move(fd)) {}
  void Notify() override { fd_.Signal(); }

 private:
  EventFd fd_;
};

}  // namespace sealane::device
