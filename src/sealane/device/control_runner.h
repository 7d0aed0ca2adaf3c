// SPDX-License-Identifier: Apache-2.0
//
// ControlRunner: the control queue, drained batch by batch. Belongs to its worker's thread, which
// is no data worker's: a driver that makes sessions does not hold up one that uses them.
#pragma once

#include <array>
#include <memory>

#include "sealane/device/algorithm_map.h"
#include "sealane/device/queue_port.h"
#include "sealane/device/runner.h"
#include "sealane/device/session_table.h"

namespace sealane::device {

class ControlRunner final : public Runner {
 public:
  ControlRunner(crypto::Engine& engine, SessionTable& sessions, Compatibility compatibility)
      : engine_(engine), sessions_(sessions), compatibility_(compatibility) {}

  size_t RunOnce() override;
  bool Arm() override { return port_ && port_->Arm(); }
  void Disarm() override;
  void Drain() override {}  // nothing is in flight between two calls of RunOnce

  // At a quiet point (Worker::Execute).
  void SetPort(std::unique_ptr<QueuePort> port) { port_ = std::move(port); }
  std::unique_ptr<QueuePort> TakePort() { return std::move(port_); }
  QueuePort* port() { return port_.get(); }

 private:
  static constexpr size_t kBatch = 32;

  crypto::Engine& engine_;
  SessionTable& sessions_;
  const Compatibility compatibility_;
  std::unique_ptr<QueuePort> port_;
  std::array<ring::DescriptorChain, kBatch> chains_;
};

}  // namespace sealane::device
