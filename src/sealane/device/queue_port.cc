// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/queue_port.h"

#include <string>

#include "sealane/base/log.h"

namespace sealane::device {

QueueStats& QueueStats::operator+=(const QueueStats& other) {
  requests += other.requests;
  bytes += other.bytes;
  errors += other.errors;
  kicks += other.kicks;
  interrupts += other.interrupts;
  return *this;
}

Result<std::unique_ptr<QueuePort>> QueuePort::Create(uint32_t index,
                                                     std::shared_ptr<const mem::GuestMemory> memory,
                                                     QueueSetup setup) {
  SL_ASSIGN_OR_RETURN(auto queue, ring::device::SplitQueue::Create(
                                      std::move(memory), {.size = setup.size,
                                                          .location = setup.location,
                                                          .event_mode = setup.event_mode,
                                                          .next_avail = setup.next_avail}));
  return std::unique_ptr<QueuePort>(new QueuePort(index, std::move(queue), std::move(setup)));
}

QueuePort::QueuePort(uint32_t index, ring::device::SplitQueue queue, QueueSetup setup)
    : index_(index),
      framing_(setup.framing),
      queue_(std::move(queue)),
      kick_(std::move(setup.kick)),
      notifier_(std::move(setup.notifier)),
      error_(std::move(setup.error)) {}

size_t QueuePort::Pop(std::span<ring::DescriptorChain* const> chains) {
  const size_t n = queue_.Pop(chains);
  stats_.requests += n;
  if (queue_.broken()) ReportIfBroken();
  return n;
}

void QueuePort::Publish() {
  if (finished_.empty()) return;
  queue_.Complete(finished_);
  finished_.clear();
  if (queue_.NeedsNotify() && notifier_) {
    notifier_->Notify();
    ++stats_.interrupts;
  }
}

void QueuePort::DrainKick() {
  if (kick_.Drain()) ++stats_.kicks;
}

void QueuePort::SetMemory(std::shared_ptr<const mem::GuestMemory> memory) {
  if (!queue_.SetMemory(std::move(memory)).has_value()) ReportIfBroken();
}

void QueuePort::SetError(EventFd error) {
  error_ = std::move(error);
  if (reported_) error_.Signal();
}

void QueuePort::ReportIfBroken() {
  // A driver can break its rings as often as it likes.
  static RateLimit limit;
  if (reported_) return;
  reported_ = true;
  error_.Signal();
  limit.Log(LogLevel::kWarning, "queue " + std::to_string(index_) + " is broken and was stopped");
}

}  // namespace sealane::device
