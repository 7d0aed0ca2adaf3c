// SPDX-License-Identifier: Apache-2.0
//
// QueuePort: a running virtqueue with its doorbells: kicks in, interrupts and the error signal out,
// and the counters that the daemon's summary prints. Data queues and the control queue stand on it.
// Belongs to the thread that runs the queue.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/base/result.h"
#include "sealane/device/framing.h"
#include "sealane/device/notifier.h"
#include "sealane/ring/device/split_queue.h"

namespace sealane::device {

// What it takes to start a queue.
struct QueueSetup {
  uint32_t size = 0;
  ring::RingLocation location;
  ring::EventMode event_mode = ring::EventMode::kFlags;
  uint16_t next_avail = 0;
  Framing framing{};
  EventFd kick;                        // rung by the driver
  std::unique_ptr<Notifier> notifier;  // null: the driver wants no interrupts
  EventFd error;                       // rung once when the queue breaks; may be invalid
};

struct QueueStats {
  uint64_t requests = 0;
  uint64_t bytes = 0;   // of payload
  uint64_t errors = 0;  // requests that ended with another status than OK
  uint64_t kicks = 0;
  uint64_t interrupts = 0;

  QueueStats& operator+=(const QueueStats& other);
};

class QueuePort {
 public:
  static Result<std::unique_ptr<QueuePort>> Create(uint32_t index,
                                                   std::shared_ptr<const mem::GuestMemory> memory,
                                                   QueueSetup setup);

  // See SplitQueue. When the queue breaks, its error eventfd is rung and one line is logged.
  size_t Pop(std::span<ring::DescriptorChain* const> chains);
  // Gives a chain back with the next Publish.
  void Finish(uint16_t head, uint32_t len) { finished_.push_back({.head = head, .len = len}); }
  // Publishes what was finished and interrupts the driver if it wants that.
  void Publish();

  // Asks for kicks; returns whether there is something to pop already.
  bool Arm() { return queue_.EnableKicks(); }
  void Disarm() { queue_.DisableKicks(); }
  void DrainKick();
  int kick_fd() const { return kick_.fd(); }

  void SetMemory(std::shared_ptr<const mem::GuestMemory> memory);
  void SetNotifier(std::unique_ptr<Notifier> notifier) { notifier_ = std::move(notifier); }
  // Another descriptor to ring when the queue breaks; rung at once if it is broken already.
  void SetError(EventFd error);

  uint32_t index() const { return index_; }
  const Framing& framing() const { return framing_; }
  uint16_t next_avail() const { return queue_.next_avail(); }
  QueueStats& stats() { return stats_; }

 private:
  QueuePort(uint32_t index, ring::device::SplitQueue queue, QueueSetup setup);
  void ReportIfBroken();

  const uint32_t index_;
  const Framing framing_;
  ring::device::SplitQueue queue_;
  EventFd kick_;
  std::unique_ptr<Notifier> notifier_;
  EventFd error_;
  std::vector<ring::Completion> finished_;
  QueueStats stats_;
  bool reported_ = false;
};

}  // namespace sealane::device
