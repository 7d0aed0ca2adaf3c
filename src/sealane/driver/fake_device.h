// SPDX-License-Identifier: Apache-2.0
//
// FakeDevice: a Transport for the driver's own tests whose device does exactly what a test's script
// says, lies included. The script runs inside Kick, in the driver's thread, or is driven by the
// test between calls; it is guarded by nothing else, so tests with several threads lock in it.
// Owned by the driver under test; the test keeps a plain pointer.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sealane/driver/transport.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {

// What the device sees of one chain, the indirect table already read.
struct FakeChain {
  uint16_t head = 0;
  bool indirect = false;
  std::vector<mem::GuestRange> readable;
  std::vector<mem::GuestRange> writable;

  std::vector<uint8_t> ReadAll() const;
  uint32_t WritableLen() const;
  // Bytes from the first writable one on; the rest of the chain is left alone.
  void Write(std::span<const uint8_t> bytes) const;
  void WriteLast(uint8_t byte) const;
};

class FakeDevice final : public Transport {
 public:
  struct Setup {
    uint64_t features = wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC);
    uint32_t max_data_queues = 1;
    uint64_t max_size = 1 << 20;
    uint64_t memory_size = 64 << 20;
    SessionMessages* messages = nullptr;
  };
  using Script = std::function<void(FakeDevice&, uint16_t index)>;

  explicit FakeDevice(const Setup& setup);

  // Runs in every Kick.
  void SetScript(Script script) { script_ = std::move(script); }

  std::optional<FakeChain> Next(uint16_t index);
  void Use(uint16_t index, uint32_t id, uint32_t len);
  void JumpUsedIdx(uint16_t index, uint16_t by);
  void Interrupt(uint16_t index) { interrupts_[index].Signal(); }
  void BreakQueue(uint16_t index) {
    broken_[index] = true;
    Interrupt(index);
  }
  bool running(uint16_t index) const { return rings_.contains(index); }
  int num_kicks() const { return num_kicks_; }
  // Called when a queue is stopped, before it is.
  void SetOnStop(Script script) { on_stop_ = std::move(script); }

  // Answers control requests as a good device would, with ids from 100 on.
  void ServeControl();
  // Answers data requests with OK and the source with every bit flipped.
  void ServeData(uint16_t index);
  uint16_t control_index() const { return static_cast<uint16_t>(config_.max_data_queues); }
  int live_sessions() const { return live_sessions_; }

  const char* name() const override { return "fake"; }
  uint64_t features() const override { return setup_.features; }
  const DeviceConfig& config() const override { return config_; }
  uint32_t max_queue_size() const override { return wire::kMaxQueueSize; }
  const std::shared_ptr<DmaRegion>& memory() const override { return memory_; }
  Result<void> StartQueue(uint16_t index, const RingLocation& ring) override;
  Result<void> StopQueue(uint16_t index) override;
  void Kick(uint16_t index) override;
  const EventFd& interrupt(uint16_t index) const override { return interrupts_[index]; }
  void WaitForInterrupt(uint16_t index, int timeout_ms) const override {
    interrupts_[index].Wait(timeout_ms);
  }
  bool IsBroken(uint16_t index) const override { return broken_[index]; }
  SessionMessages* messages() override { return setup_.messages; }

 private:
  static constexpr size_t kMaxQueues = 8;
  struct Ring {
    uint32_t size = 0;
    mem::GuestRange desc, avail, used;
    uint16_t next_avail = 0;
    uint16_t used_idx = 0;
  };
  mem::GuestRange At(mem::GuestAddr addr, uint64_t len) const;

  Setup setup_;
  DeviceConfig config_;
  std::shared_ptr<DmaRegion> memory_;
  std::array<EventFd, kMaxQueues> interrupts_;
  std::array<std::atomic<bool>, kMaxQueues> broken_{};
  std::map<uint16_t, Ring> rings_;
  Script script_;
  Script on_stop_;
  std::atomic<int> num_kicks_ = 0;
  uint64_t next_session_ = 100;
  int live_sessions_ = 0;
};

// How an honest device finishes a chain: result, status in the last writable byte, exact length.
void FinishChain(FakeDevice& device, uint16_t index, const FakeChain& chain,
                 std::span<const uint8_t> result, uint8_t status);

}  // namespace sealane::driver
