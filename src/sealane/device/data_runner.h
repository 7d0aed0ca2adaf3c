// SPDX-License-Identifier: Apache-2.0
//
// DataRunner: the data queues of one worker and the lane that serves them. Belongs to the worker's
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sealane/crypto/lane.h"
#include "sealane/device/data_queue.h"
#include "sealane/device/lane_session_cache.h"
#include "sealane/device/runner.h"

namespace sealane::device {

class DataRunner final : public Runner {
 public:
  DataRunner(crypto::Engine& engine, std::unique_ptr<crypto::Lane> lane, SessionTable& table,
             crypto::Waker& waker, Compatibility compatibility);

  size_t RunOnce() override;
  bool Arm() override;
  void Disarm() override;
  void Drain() override;

  // At a quiet point (Worker::Execute).
  void AddQueue(std::unique_ptr<QueuePort> port);
  // Null if there is no such queue.
  std::unique_ptr<DataQueue> RemoveQueue(uint32_t index);
  QueuePort* FindPort(uint32_t index);
  void SetMemory(const std::shared_ptr<const mem::GuestMemory>& memory);

 private:
  // Fetched requests keep their lists of segments, which hostile drivers make long: many queues
  // must not make many of them at once.
  static constexpr size_t kMaxPending = 4 * DataQueue::kBatch;

  size_t FetchAll();
  void SubmitPending();
  size_t Collect();

  std::unique_ptr<crypto::Lane> lane_;
  LaneSessionCache sessions_;
  const RequestContext context_;
  std::vector<std::unique_ptr<DataQueue>> queues_;
  size_t next_queue_ = 0;             // the queue that was fetched from last
  std::vector<crypto::Op*> pending_;  // fetched, not yet taken by the lane
};

}  // namespace sealane::device
