// SPDX-License-Identifier: Apache-2.0
#include "sealane/loopback/loopback_transport.h"

#include <poll.h>

#include <array>
#include <utility>

#include "sealane/mem/guest_memory.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::loopback {
namespace {

// Where the device finds the driver's memory. Not 0, so that a forgotten address is an error.
constexpr mem::GuestAddr kBase{uint64_t{1} << 32};

}  // namespace

Result<std::unique_ptr<LoopbackTransport>> LoopbackTransport::Create(
    std::unique_ptr<crypto::Engine> engine, const LoopbackOptions& options) {
  std::unique_ptr<LoopbackTransport> transport(new LoopbackTransport());
  transport->engine_ = std::move(engine);
  SL_RETURN_IF_ERROR(transport->StartDevice(options));
  SL_RETURN_IF_ERROR(transport->ShareMemory(options.memory_size));
  return transport;
}

uint32_t LoopbackTransport::max_queue_size() const { return wire::kMaxQueueSize; }

void LoopbackTransport::WaitForInterrupt(uint16_t index, int timeout_ms) const {
  const Queue& queue = queues_[index];
  std::array<struct pollfd, 2> fds{{{queue.call.fd(), POLLIN, 0}, {queue.err.fd(), POLLIN, 0}}};
  ::poll(fds.data(), fds.size(), timeout_ms);
}

Result<void> LoopbackTransport::StartDevice(const LoopbackOptions& options) {
  SL_ASSIGN_OR_RETURN(
      device_, device::CryptoDevice::Create(*engine_, {.num_data_queues = options.num_data_queues,
                                                       .max_sessions = options.max_sessions,
                                                       .poll = options.poll}));
  features_ = device_->features();
  if (!options.event_idx) features_ &= ~wire::FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX);
  if (!options.indirect) features_ &= ~wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC);
  if (!options.revision_1) features_ &= ~wire::kCryptoFeatures;
  SL_ASSIGN_OR_RETURN(config_, driver::ParseConfig(device_->config()));
  queues_ = std::vector<Queue>(device_->num_queues());
  return {};
}

Result<void> LoopbackTransport::ShareMemory(uint64_t size) {
  SL_ASSIGN_OR_RETURN(memory_, driver::DmaRegion::Create(size, kBase));
  // The device sees the very mapping that the driver has; a second one would show nothing new.
  std::vector<mem::MemoryRegion> regions;
  regions.push_back({.guest_addr = kBase, .frontend_addr = {}, .mapping = memory_->mapping()});
  SL_ASSIGN_OR_RETURN(auto guest_memory, mem::GuestMemory::Create(std::move(regions)));
  device_->SetMemory(std::move(guest_memory));
  return {};
}

Result<device::QueueSetup> LoopbackTransport::MakeSetup(const Queue& queue,
                                                        const driver::RingLocation& ring) const {
  device::QueueSetup setup;
  setup.size = ring.size;
  setup.location = ring::RingAddresses<mem::GuestAddr>{
      .desc = ring.desc, .avail = ring.avail, .used = ring.used};
  setup.event_mode = wire::HasFeature(features_, wire::VIRTIO_RING_F_EVENT_IDX)
                         ? ring::EventMode::kEventIdx
                         : ring::EventMode::kFlags;
  setup.framing = device::FramingOf(features_);
  SL_ASSIGN_OR_RETURN(setup.kick, queue.kick.Duplicate());
  SL_ASSIGN_OR_RETURN(EventFd call, queue.call.Duplicate());
  setup.notifier = std::make_unique<device::EventFdNotifier>(std::move(call));
  SL_ASSIGN_OR_RETURN(setup.error, queue.err.Duplicate());
  return setup;
}

Result<void> LoopbackTransport::StartQueue(uint16_t index, const driver::RingLocation& ring) {
  if (index >= queues_.size()) return Error{ErrorCode::kInvalid, "no such queue"};
  if (device_->running(index)) return Error{ErrorCode::kInvalid, "the queue runs already"};
  Queue& queue = queues_[index];
  SL_ASSIGN_OR_RETURN(queue.kick, EventFd::Create());
  SL_ASSIGN_OR_RETURN(queue.call, EventFd::Create());
  SL_ASSIGN_OR_RETURN(queue.err, EventFd::Create());
  SL_ASSIGN_OR_RETURN(device::QueueSetup setup, MakeSetup(queue, ring));
  return device_->StartQueue(index, std::move(setup));
}

Result<void> LoopbackTransport::StopQueue(uint16_t index) {
  device_->StopQueue(index);
  return {};
}

}  // namespace sealane::loopback
