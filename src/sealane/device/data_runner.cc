// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/data_runner.h"

#include <algorithm>
#include <array>

namespace sealane::device {

DataRunner::DataRunner(crypto::Engine& engine, std::unique_ptr<crypto::Lane> lane,
                       SessionTable& table, crypto::Waker& waker, Compatibility compatibility)
    : lane_(std::move(lane)),
      sessions_(table, *lane_, waker),
      context_{
          .engine = engine, .lane = *lane_, .sessions = sessions_, .compatibility = compatibility} {
}

size_t DataRunner::RunOnce() {
  // Back-pressure: as long as the lane has not taken what was fetched, nothing more is popped.
  const size_t fetched = pending_.empty() ? FetchAll() : 0;
  SubmitPending();
  const size_t collected = Collect();
  if (sessions_.has_closed() && pending_.empty() && lane_->in_flight() == 0) sessions_.DropClosed();
  for (const auto& queue : queues_) queue->port().Publish();
  return fetched + collected;
}

size_t DataRunner::FetchAll() {
  size_t fetched = 0;
  // Each time from another queue on, so that none waits for ever behind busy ones.
  for (size_t i = 0; i < queues_.size() && pending_.size() < kMaxPending; ++i) {
    next_queue_ = (next_queue_ + 1) % queues_.size();
    fetched += queues_[next_queue_]->Fetch(context_, pending_);
  }
  return fetched;
}

void DataRunner::SubmitPending() {
  if (pending_.empty()) return;
  const size_t taken = lane_->Submit(pending_);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(taken));
  lane_->Flush();
}

size_t DataRunner::Collect() {
  std::array<crypto::Op*, DataQueue::kBatch> done;
  size_t collected = 0;
  while (const size_t n = lane_->Poll(done)) {
    for (crypto::Op* op : std::span(done).first(n)) {
      auto& request = static_cast<DataRequest&>(*op);
      request.queue->Finish(request, request.status);
    }
    collected += n;
  }
  return collected;
}

bool DataRunner::Arm() {
  // What waits for a lane that is full, and queues that wait for their requests to come back, go on
  // when the lane has finished something, which calls the waker. Kicks would change nothing.
  if (!pending_.empty() && lane_->in_flight() != 0) return false;
  bool more = !pending_.empty();
  for (const auto& queue : queues_) {
    if (queue->has_room()) more |= queue->port().Arm();
  }
  return more;
}

void DataRunner::Disarm() {
  for (const auto& queue : queues_) {
    queue->port().DrainKick();
    queue->port().Disarm();
  }
}

void DataRunner::Drain() {
  while (!pending_.empty() || lane_->in_flight() != 0) {
    SubmitPending();
    lane_->Flush();
    Collect();
  }
  sessions_.DropClosed();
  for (const auto& queue : queues_) queue->port().Publish();
}

void DataRunner::AddQueue(std::unique_ptr<QueuePort> port) {
  queues_.push_back(std::make_unique<DataQueue>(std::move(port)));
}

std::unique_ptr<DataQueue> DataRunner::RemoveQueue(uint32_t index) {
  const auto found = std::ranges::find_if(
      queues_, [index](const auto& queue) { return queue->port().index() == index; });
  if (found == queues_.end()) return nullptr;
  std::unique_ptr<DataQueue> queue = std::move(*found);
  queues_.erase(found);
  return queue;
}

QueuePort* DataRunner::FindPort(uint32_t index) {
  for (const auto& queue : queues_) {
    if (queue->port().index() == index) return &queue->port();
  }
  return nullptr;
}

void DataRunner::SetMemory(const std::shared_ptr<const mem::GuestMemory>& memory) {
  for (const auto& queue : queues_) queue->port().SetMemory(memory);
}

}  // namespace sealane::device
