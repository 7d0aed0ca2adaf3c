// SPDX-License-Identifier: Apache-2.0
//
// LoopbackTransport: a whole virtio-crypto device in this process, reached by a driver in the same
// process: real rings in shared memory, real control queue, the device's own worker threads,
// doorbells and interrupts by eventfd. For tools and tests. Threads as in driver/transport.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/base/result.h"
#include "sealane/crypto/engine.h"
#include "sealane/device/crypto_device.h"
#include "sealane/driver/transport.h"

namespace sealane::loopback {

struct LoopbackOptions {
  uint32_t num_data_queues = 1;  // 1 to CryptoDevice::kMaxDataQueues
  uint32_t max_sessions = 8192;
  std::chrono::microseconds poll{50};          // how long a device worker polls before it sleeps
  bool event_idx = true;                       // offer VIRTIO_RING_F_EVENT_IDX
  bool indirect = true;                        // offer VIRTIO_RING_F_INDIRECT_DESC
  bool revision_1 = true;                      // offer REVISION_1 and stateless requests
  uint64_t memory_size = uint64_t{256} << 20;  // bytes shared between driver and device
};

class LoopbackTransport final : public driver::Transport {
 public:
  static Result<std::unique_ptr<LoopbackTransport>> Create(std::unique_ptr<crypto::Engine> engine,
                                                           const LoopbackOptions& options);

  const char* name() const override { return "loopback"; }
  uint64_t features() const override { return features_; }
  const driver::DeviceConfig& config() const override { return config_; }
  uint32_t max_queue_size() const override;
  const std::shared_ptr<driver::DmaRegion>& memory() const override { return memory_; }
  Result<void> StartQueue(uint16_t index, const driver::RingLocation& ring) override;
  Result<void> StopQueue(uint16_t index) override;
  void Kick(uint16_t index) override { queues_[index].kick.Signal(); }
  const EventFd& interrupt(uint16_t index) const override { return queues_[index].call; }
  void WaitForInterrupt(uint16_t index, int timeout_ms) const override;
  bool IsBroken(uint16_t index) const override { return queues_[index].err.Wait(0); }
  driver::SessionMessages* messages() override { return nullptr; }

  // The other side, for tests and for what it counts.
  device::CryptoDevice& device() { return *device_; }

 private:
  struct Queue {
    EventFd kick;
    EventFd call;
    EventFd err;
  };

  LoopbackTransport() = default;
  Result<void> StartDevice(const LoopbackOptions& options);
  Result<void> ShareMemory(uint64_t size);
  Result<device::QueueSetup> MakeSetup(const Queue& queue, const driver::RingLocation& ring) const;

  std::unique_ptr<crypto::Engine> engine_;
  std::shared_ptr<driver::DmaRegion> memory_;
  uint64_t features_ = 0;
  driver::DeviceConfig config_;
  std::vector<Queue> queues_;
  std::unique_ptr<device::CryptoDevice> device_;  // the first to go
};

}  // namespace sealane::loopback
