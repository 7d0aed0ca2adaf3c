// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/vhost_user/vhost_user_transport.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "sealane/driver/vhost_user/session_description.h"
#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

using wire::FeatureMask;
using wire::HasFeature;

// Where the back-end finds our memory. Not 0, so that a forgotten address is an error.
constexpr mem::GuestAddr kBase{uint64_t{1} << 32};

constexpr uint64_t kDeviceProtocol = FeatureMask(wire::VHOST_USER_PROTOCOL_F_MQ) |
                                     FeatureMask(wire::VHOST_USER_PROTOCOL_F_REPLY_ACK) |
                                     FeatureMask(wire::VHOST_USER_PROTOCOL_F_CONFIG) |
                                     FeatureMask(wire::VHOST_USER_PROTOCOL_F_STATUS);
// CONFIG left out is what tells the back-end that this is cryptodev mode.
constexpr uint64_t kCryptodevProtocol = FeatureMask(wire::VHOST_USER_PROTOCOL_F_MQ) |
                                        FeatureMask(wire::VHOST_USER_PROTOCOL_F_REPLY_ACK) |
                                        FeatureMask(wire::VHOST_USER_PROTOCOL_F_CRYPTO_SESSION);

Failure ToFailure(const Error& error) {
  if (error.code == ErrorCode::kTimeout) return {Status::kTimeout, error};
  if (error.code == ErrorCode::kInvalid) return {Status::kError, error};  // refused
  return {Status::kBroken, error};
}

// By custom a refusal is a virtio status, negated; -1 is also what says nothing in particular.
Status RefusalStatus(int64_t session_id) {
  if (session_id < -int64_t{wire::VIRTIO_CRYPTO_KEY_REJECTED}) return Status::kError;
  return StatusFromWire(static_cast<uint32_t>(-session_id));
}

}  // namespace

Result<std::unique_ptr<VhostUserTransport>> VhostUserTransport::Connect(
    const std::string& path, const VhostUserOptions& options) {
  SL_ASSIGN_OR_RETURN(auto frontend, vhost_user::Frontend::Connect(path, options.timeout));
  return Create(std::move(frontend), options);
}

Result<std::unique_ptr<VhostUserTransport>> VhostUserTransport::Create(
    vhost_user::Frontend frontend, const VhostUserOptions& options) {
  std::unique_ptr<VhostUserTransport> transport(
      new VhostUserTransport(std::move(frontend), options));
  SL_RETURN_IF_ERROR(transport->Negotiate());
  SL_ASSIGN_OR_RETURN(transport->memory_, DmaRegion::Create(options.memory_size, kBase));
  SL_RETURN_IF_ERROR(transport->ShareMemory());
  return transport;
}

uint32_t VhostUserTransport::max_queue_size() const { return wire::kMaxQueueSize; }

SessionMessages* VhostUserTransport::messages() { return device_mode() ? nullptr : this; }

bool VhostUserTransport::Acknowledged(unsigned protocol_feature) const {
  return HasFeature(frontend_.protocol_features(), protocol_feature);
}

// In the order in which QEMU says these things.
Result<void> VhostUserTransport::Negotiate() {
  SL_ASSIGN_OR_RETURN(const uint64_t offered, frontend_.GetFeatures());
  if (!HasFeature(offered, wire::VHOST_USER_F_PROTOCOL_FEATURES)) {
    return Error{ErrorCode::kUnsupported, "the back-end has no protocol features"};
  }
  SL_RETURN_IF_ERROR(NegotiateProtocol());
  uint64_t num_queues = device_mode() ? 2 : 1;
  if (Acknowledged(wire::VHOST_USER_PROTOCOL_F_MQ)) {
    SL_ASSIGN_OR_RETURN(num_queues, frontend_.GetQueueNum());
  }
  SL_RETURN_IF_ERROR(frontend_.SetOwner());
  SL_RETURN_IF_ERROR(device_mode() ? NegotiateDevice(offered) : NegotiateCryptodev());
  SL_RETURN_IF_ERROR(ReadConfig(num_queues));
  queues_ = std::vector<Queue>(config_.max_data_queues + (device_mode() ? 1 : 0));
  return {};
}

Result<void> VhostUserTransport::NegotiateProtocol() {
  SL_ASSIGN_OR_RETURN(const uint64_t offered, frontend_.GetProtocolFeatures());
  const unsigned needed = device_mode() ? wire::VHOST_USER_PROTOCOL_F_CONFIG
                                        : wire::VHOST_USER_PROTOCOL_F_CRYPTO_SESSION;
  if (!HasFeature(offered, needed)) {
    return Error{ErrorCode::kUnsupported, device_mode() ? "the back-end has no configuration space"
                                                        : "the back-end has no session messages"};
  }
  const uint64_t wanted = device_mode() ? kDeviceProtocol : kCryptodevProtocol;
  return frontend_.SetProtocolFeatures(offered & wanted);
}

Result<void> VhostUserTransport::NegotiateDevice(uint64_t offered) {
  if (!HasFeature(offered, wire::VIRTIO_F_VERSION_1)) {
    return Error{ErrorCode::kUnsupported, "the back-end is no virtio 1 device"};
  }
  uint64_t wanted = FeatureMask(wire::VIRTIO_F_VERSION_1) |
                    FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC) |
                    FeatureMask(wire::VHOST_USER_F_PROTOCOL_FEATURES);
  if (options_.event_idx) wanted |= FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX);
  if (options_.revision_1) wanted |= wire::kCryptoFeatures;
  SL_RETURN_IF_ERROR(
      SetStatusBits(wire::VIRTIO_CONFIG_S_ACKNOWLEDGE | wire::VIRTIO_CONFIG_S_DRIVER));
  features_ = offered & wanted;
  SL_RETURN_IF_ERROR(frontend_.SetFeatures(features_));
  return SetStatusBits(wire::VIRTIO_CONFIG_S_FEATURES_OK);
}

// QEMU acknowledges nothing but the protocol features, whatever it agrees on with its guest. A
// back-end that copes with QEMU therefore takes indirect descriptors and either kind of events.
Result<void> VhostUserTransport::NegotiateCryptodev() {
  features_ =
      FeatureMask(wire::VIRTIO_F_VERSION_1) | FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC);
  if (options_.event_idx) features_ |= FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX);
  return frontend_.SetFeatures(FeatureMask(wire::VHOST_USER_F_PROTOCOL_FEATURES));
}

Result<void> VhostUserTransport::ReadConfig(uint64_t num_queues) {
  if (device_mode()) {
    std::array<uint8_t, sizeof(wire::virtio_crypto_config)> bytes{};
    SL_RETURN_IF_ERROR(frontend_.GetConfig(0, bytes));
    SL_ASSIGN_OR_RETURN(config_, ParseConfig(std::bit_cast<wire::virtio_crypto_config>(bytes)));
    if (uint64_t{config_.max_data_queues} + 1 > num_queues) {
      return Error{ErrorCode::kInvalid,
                   "the back-end has fewer queues than its configuration says"};
    }
    return {};
  }
  if (num_queues == 0) return Error{ErrorCode::kInvalid, "the back-end has no queues"};
  // What QEMU tells its guest. Whether the back-end can do more shows when a session is made.
  config_ = DeviceConfig{
      .max_data_queues = static_cast<uint32_t>(std::min<uint64_t>(num_queues, kMaxDataQueues)),
      .services = 1U << wire::VIRTIO_CRYPTO_SERVICE_CIPHER,
      .cipher_algorithms = uint64_t{1} << wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
      .max_cipher_key_len = kMaxKeyLen,
      .max_size = std::numeric_limits<uint64_t>::max()};
  return {};
}

Result<void> VhostUserTransport::ShareMemory() {
  // SAFETY: only the number is used. Our own addresses are the front-end's addresses.
  const auto frontend_addr = reinterpret_cast<uintptr_t>(memory_->data());
  const vhost_user::SharedRegion region{.region = {.guest_phys_addr = Raw(kBase),
                                                   .memory_size = memory_->size(),
                                                   .userspace_addr = frontend_addr,
                                                   .mmap_offset = 0},
                                        .fd = memory_->fd()};
  return frontend_.SetMemTable(std::span(&region, 1));
}

Result<void> VhostUserTransport::SetStatusBits(uint8_t bits) {
  if (!Acknowledged(wire::VHOST_USER_PROTOCOL_F_STATUS)) return {};
  if ((status_ & bits) == bits) return {};
  status_ = static_cast<uint8_t>(status_ | bits);
  return frontend_.SetStatus(status_);
}

Result<void> VhostUserTransport::SetUpVring(uint16_t index, const RingLocation& ring,
                                            const Queue& queue) {
  // SAFETY: only the number is used.
  const auto data = reinterpret_cast<uintptr_t>(memory_->data());
  const auto frontend_addr = [&](mem::GuestAddr addr) {
    return mem::FrontendAddr{data + (Raw(addr) - Raw(kBase))};
  };
  SL_RETURN_IF_ERROR(frontend_.SetVringNum(index, ring.size));
  SL_RETURN_IF_ERROR(frontend_.SetVringBase(index, 0));
  SL_RETURN_IF_ERROR(frontend_.SetVringAddr({.index = index,
                                             .desc = frontend_addr(ring.desc),
                                             .used = frontend_addr(ring.used),
                                             .avail = frontend_addr(ring.avail)}));
  SL_RETURN_IF_ERROR(frontend_.SetVringErr(index, queue.err.fd()));
  SL_RETURN_IF_ERROR(frontend_.SetVringCall(index, queue.call.fd()));
  SL_RETURN_IF_ERROR(frontend_.SetVringKick(index, queue.kick.fd()));
  if (device_mode()) SL_RETURN_IF_ERROR(frontend_.SetVringEnable(index, true));
  return {};
}

Result<void> VhostUserTransport::StartQueue(uint16_t index, const RingLocation& ring) {
  if (index >= queues_.size()) return Error{ErrorCode::kInvalid, "no such queue"};
  Queue& queue = queues_[index];
  if (queue.running) return Error{ErrorCode::kInvalid, "the queue runs already"};
  SL_ASSIGN_OR_RETURN(queue.kick, EventFd::Create());
  SL_ASSIGN_OR_RETURN(queue.call, EventFd::Create());
  SL_ASSIGN_OR_RETURN(queue.err, EventFd::Create());
  const std::lock_guard lock(mutex_);
  SL_RETURN_IF_ERROR(SetUpVring(index, ring, queue));
  queue.running = true;
  if (device_mode()) return SetStatusBits(wire::VIRTIO_CONFIG_S_DRIVER_OK);
  return {};
}

Result<void> VhostUserTransport::StopQueue(uint16_t index) {
  if (index >= queues_.size() || !queues_[index].running) return {};
  const std::lock_guard lock(mutex_);
  queues_[index].running = false;
  SL_ASSIGN_OR_RETURN([[maybe_unused]] const uint32_t base, frontend_.GetVringBase(index));
  return {};
}

void VhostUserTransport::WaitForInterrupt(uint16_t index, int timeout_ms) const {
  const Queue& queue = queues_[index];
  std::array<struct pollfd, 3> fds{
      {{queue.call.fd(), POLLIN, 0}, {queue.err.fd(), POLLIN, 0}, {frontend_.fd(), POLLRDHUP, 0}}};
  ::poll(fds.data(), fds.size(), timeout_ms);
}

bool VhostUserTransport::IsBroken(uint16_t index) const {
  std::array<struct pollfd, 2> fds{
      {{queues_[index].err.fd(), POLLIN, 0}, {frontend_.fd(), POLLRDHUP, 0}}};
  return ::poll(fds.data(), fds.size(), 0) > 0;
}

Outcome<SessionId> VhostUserTransport::CreateSession(const SessionParams& params) {
  const auto description = DescribeSession(params, options_.layout);
  if (!description) return Failure{Status::kNotSupported, {}};
  const std::lock_guard lock(mutex_);
  const auto id = frontend_.CreateCryptoSession(*description);
  if (!id) return ToFailure(id.error());
  if (*id < 0) return Failure{RefusalStatus(*id), {}};
  return SessionId{static_cast<uint64_t>(*id)};
}

Outcome<void> VhostUserTransport::CloseSession(SessionId session) {
  const std::lock_guard lock(mutex_);
  const auto sent = frontend_.CloseCryptoSession(static_cast<uint64_t>(session));
  if (!sent) return ToFailure(sent.error());
  return {};
}

}  // namespace sealane::driver
