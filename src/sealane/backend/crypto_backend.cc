// SPDX-License-Identifier: Apache-2.0
#include "sealane/backend/crypto_backend.h"

#include <array>
#include <bit>

#include "sealane/base/checked_math.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_ring.h"

// The connection as a whole: features, mode, memory. Rings and sessions: crypto_backend_rings.cc.
namespace sealane::backend {

using vhost_user::DoneReply;
using vhost_user::U64Reply;
namespace request = vhost_user::request;

namespace {

using wire::FeatureMask;

constexpr uint64_t kCommonProtocolFeatures =
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_MQ) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_REPLY_ACK) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_BACKEND_REQ) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_BACKEND_SEND_FD) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_RESET_DEVICE) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_CONFIGURE_MEM_SLOTS) |
    FeatureMask(wire::VHOST_USER_PROTOCOL_F_STATUS);

}  // namespace

CryptoBackend::CryptoBackend(device::CryptoDevice& device, std::optional<Mode> forced)
    : device_(device), forced_(forced), vrings_(device.num_queues()) {}

CryptoBackend::~CryptoBackend() { device_.Reset(); }

uint64_t CryptoBackend::OfferedFeatures() const {
  return device_.features() | FeatureMask(wire::VHOST_USER_F_PROTOCOL_FEATURES);
}

uint64_t CryptoBackend::OfferedProtocolFeatures(std::optional<Mode> forced) {
  uint64_t features = kCommonProtocolFeatures;
  if (forced != Mode::kDevice) {
    features |= FeatureMask(wire::VHOST_USER_PROTOCOL_F_CRYPTO_SESSION);
  }
  if (forced != Mode::kCryptodev) features |= FeatureMask(wire::VHOST_USER_PROTOCOL_F_CONFIG);
  return features;
}

CryptoBackend::Done CryptoBackend::Handle(const vhost_user::Request& request, Fds fds) {
  return std::visit([&](const auto& kind) { return On(kind, fds); }, request);
}

uint32_t CryptoBackend::num_queues() const {
  return mode() == Mode::kCryptodev ? device_.num_data_queues() : device_.num_queues();
}

CryptoBackend::Done CryptoBackend::On(const request::GetFeatures&, Fds&) {
  return U64Reply(OfferedFeatures());
}

CryptoBackend::Done CryptoBackend::On(const request::SetFeatures& set, Fds&) {
  // QEMU's cryptodev acknowledges nothing of what the guest negotiated with it, and old versions
  // sent garbage: in that mode the value means nothing, and event_mode() does not ask.
  if (mode() == Mode::kDevice && (set.features & ~OfferedFeatures()) != 0) {
    return Error{ErrorCode::kInvalid, "a feature was acknowledged that is not offered"};
  }
  features_ = set.features;
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::GetProtocolFeatures&, Fds&) {
  return U64Reply(OfferedProtocolFeatures(forced_));
}

CryptoBackend::Done CryptoBackend::On(const request::SetProtocolFeatures& set, Fds&) {
  if ((set.features & ~OfferedProtocolFeatures(forced_)) != 0) {
    return Error{ErrorCode::kInvalid, "a protocol feature was acknowledged that is not offered"};
  }
  // The mode hangs on it, so it may be repeated (QEMU does) but not changed under running rings.
  for (uint32_t i = 0; i < device_.num_queues(); ++i) {
    if (set.features != protocol_features_ && device_.running(i)) {
      return Error{ErrorCode::kInvalid, "protocol features change while a ring runs"};
    }
  }
  protocol_features_ = set.features;
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::GetQueueNum&, Fds&) {
  return U64Reply(num_queues());
}

CryptoBackend::Done CryptoBackend::On(const request::SetOwner&, Fds&) { return DoneReply(); }

CryptoBackend::Done CryptoBackend::On(const request::SetBackendReqFd&, Fds& fds) {
  backend_req_ = std::move(fds.front());
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::UseMemory(Result<MemoryTable::Table> table) {
  if (!table.has_value()) return table.error();
  // Returns only when no worker uses the old table any more, so that a region may be gone after our
  // reply.
  device_.SetMemory(std::move(*table));
  // The table is in use, whatever becomes of a ring: one that cannot start has rung its error
  // descriptor, and may yet find its memory in the next region to come.
  for (uint32_t index = 0; index < num_queues(); ++index) {
    [[maybe_unused]] const Result<void> started = StartIfReady(index);
  }
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetMemTable& set, Fds& fds) {
  return UseMemory(memory_.Replace(set.regions, fds));
}

CryptoBackend::Done CryptoBackend::On(const request::AddMemReg& add, Fds& fds) {
  return UseMemory(memory_.Add(add.region, fds.front()));
}

CryptoBackend::Done CryptoBackend::On(const request::RemMemReg& remove, Fds&) {
  return UseMemory(memory_.Remove(remove.region));
}

CryptoBackend::Done CryptoBackend::On(const request::GetMaxMemSlots&, Fds&) {
  return U64Reply(mem::GuestMemory::kMaxRegions);
}

CryptoBackend::Done CryptoBackend::On(const request::GetConfig& get, Fds&) {
  const auto config =
      std::bit_cast<std::array<uint8_t, sizeof(wire::virtio_crypto_config)>>(device_.config());
  if (!FitsWithin<uint64_t>(get.offset, get.size, config.size())) {
    return Error{ErrorCode::kOutOfRange, "config space is 56 bytes long"};
  }
  return vhost_user::ConfigReply(get, std::span(config).subspan(get.offset, get.size));
}

CryptoBackend::Done CryptoBackend::On(const request::SetConfig&, Fds&) {
  return Error{ErrorCode::kUnsupported, "config space is read-only"};
}

CryptoBackend::Done CryptoBackend::On(const request::SetStatus& set, Fds&) {
  if (set.status == 0) ResetState();
  status_ = set.status;
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::GetStatus&, Fds&) { return U64Reply(status_); }

CryptoBackend::Done CryptoBackend::On(const request::ResetDevice&, Fds&) {
  ResetState();
  return DoneReply();
}

// Deprecated in favour of RESET_DEVICE, and what QEMU sends where that is missing.
CryptoBackend::Done CryptoBackend::On(const request::ResetOwner&, Fds&) {
  ResetState();
  return DoneReply();
}

// A reset is the driver's: rings and sessions go, the connection's memory and features stay.
void CryptoBackend::ResetState() {
  for (uint32_t index = 0; index < device_.num_queues(); ++index) StopRing(index);
  device_.CloseAllSessions();
  vrings_ = std::vector<Vring>(device_.num_queues());
  status_ = 0;
}

CryptoBackend::Done CryptoBackend::On(const request::Unknown&, Fds&) {
  return Error{ErrorCode::kUnsupported, "a request that this back-end does not know"};
}

}  // namespace sealane::backend
