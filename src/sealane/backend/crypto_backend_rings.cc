// SPDX-License-Identifier: Apache-2.0
//
// CryptoBackend, the second half: rings and sessions.
#include "sealane/backend/crypto_backend.h"
#include "sealane/backend/session_message.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::backend {

using vhost_user::DoneReply;
namespace request = vhost_user::request;

namespace {

Result<EventFd> AdoptOptional(bool has_fd, std::vector<UniqueFd>& fds) {
  if (!has_fd) return EventFd();
  return EventFd::Adopt(std::move(fds.front()));
}

Result<EventFd> DuplicateOptional(const EventFd& fd) {
  if (!fd.valid()) return EventFd();
  return fd.Duplicate();
}

std::unique_ptr<device::Notifier> MakeNotifier(EventFd call) {
  if (!call.valid()) return nullptr;
  return std::make_unique<device::EventFdNotifier>(std::move(call));
}

}  // namespace

Result<Vring*> CryptoBackend::FindVring(uint32_t index) {
  if (index >= num_queues()) return Error{ErrorCode::kOutOfRange, "no ring of that index"};
  return &vrings_[index];
}

Result<Vring*> CryptoBackend::FindStoppedVring(uint32_t index) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(index));
  if (device_.running(index)) return Error{ErrorCode::kInvalid, "the ring is running"};
  return vring;
}

ring::EventMode CryptoBackend::event_mode() const {
  if (mode() == Mode::kCryptodev) return ring::EventMode::kUnknown;
  return wire::HasFeature(features_, wire::VIRTIO_RING_F_EVENT_IDX) ? ring::EventMode::kEventIdx
                                                                    : ring::EventMode::kFlags;
}

// Cryptodev's front-ends frame as if nothing was negotiated, and acknowledge nothing.
device::Framing CryptoBackend::framing() const {
  return mode() == Mode::kDevice ? device::FramingOf(features_) : device::Framing{};
}

// With PROTOCOL_FEATURES rings begin disabled, but QEMU's cryptodev never enables them: there a
// ring runs from its kick on, unless an explicit ENABLE says no.
bool CryptoBackend::IsEnabled(const Vring& vring) const {
  const bool by_default = mode() == Mode::kCryptodev ||
                          !wire::HasFeature(features_, wire::VHOST_USER_F_PROTOCOL_FEATURES);
  return vring.enabled.value_or(by_default);
}

Result<void> CryptoBackend::StartIfReady(uint32_t index) {
  Vring& vring = vrings_[index];
  if (device_.running(index) || !vring.IsSetUp() || !IsEnabled(vring)) return {};
  // Nothing says that memory comes before rings.
  if (memory_.empty()) return {};
  SL_ASSIGN_OR_RETURN(EventFd kick, vring.kick.Duplicate());
  SL_ASSIGN_OR_RETURN(EventFd call, DuplicateOptional(vring.call));
  SL_ASSIGN_OR_RETURN(EventFd error, DuplicateOptional(vring.error));
  device::QueueSetup setup{.size = vring.num,
                           .location = *vring.addresses,
                           .event_mode = event_mode(),
                           .next_avail = vring.base,
                           .framing = framing(),
                           .kick = std::move(kick),
                           .notifier = MakeNotifier(std::move(call)),
                           .error = std::move(error)};
  Result<void> started = device_.StartQueue(index, std::move(setup));
  if (!started.has_value()) vring.error.Signal();
  return started;
}

void CryptoBackend::StopRing(uint32_t index) {
  if (const auto next_avail = device_.StopQueue(index)) vrings_[index].base = *next_avail;
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringNum& set, Fds&) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindStoppedVring(set.index));
  if (!wire::IsValidQueueSize(set.num)) {
    return Error{ErrorCode::kInvalid, "a ring's size is a power of two up to 32768"};
  }
  vring->num = set.num;
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringAddr& set, Fds&) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindStoppedVring(set.index));
  vring->addresses = {.desc = set.desc, .avail = set.avail, .used = set.used};
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringBase& set, Fds&) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindStoppedVring(set.index));
  // Bits above 16 are the wrap counters of a packed ring, which is not offered.
  if (set.base > 0xffff) return Error{ErrorCode::kUnsupported, "packed rings are not offered"};
  vring->base = static_cast<uint16_t>(set.base);
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::GetVringBase& get, Fds&) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(get.index));
  StopRing(get.index);
  // The ring stays stopped until it gets a new kick descriptor.
  vring->kick = EventFd();
  return vhost_user::VringStateReply(get.index, vring->base);
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringKick& set, Fds& fds) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(set.index));
  if (!set.has_fd) return Error{ErrorCode::kUnsupported, "a ring without kicks is not offered"};
  SL_ASSIGN_OR_RETURN(EventFd kick, EventFd::Adopt(std::move(fds.front())));
  // A running ring changes over: stop where it is, go on with the new descriptor.
  StopRing(set.index);
  vring->kick = std::move(kick);
  SL_RETURN_IF_ERROR(StartIfReady(set.index));
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringCall& set, Fds& fds) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(set.index));
  SL_ASSIGN_OR_RETURN(vring->call, AdoptOptional(set.has_fd, fds));
  if (device_.running(set.index)) {
    SL_ASSIGN_OR_RETURN(EventFd call, DuplicateOptional(vring->call));
    device_.SetNotifier(set.index, MakeNotifier(std::move(call)));
    // Something may have been completed before there was a way to say so.
    vring->call.Signal();
  }
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringErr& set, Fds& fds) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(set.index));
  SL_ASSIGN_OR_RETURN(vring->error, AdoptOptional(set.has_fd, fds));
  SL_ASSIGN_OR_RETURN(EventFd error, DuplicateOptional(vring->error));
  device_.SetError(set.index, std::move(error));
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::SetVringEnable& set, Fds&) {
  SL_ASSIGN_OR_RETURN(Vring* const vring, FindVring(set.index));
  vring->enabled = set.enable;
  if (!set.enable) StopRing(set.index);
  SL_RETURN_IF_ERROR(StartIfReady(set.index));
  return DoneReply();
}

CryptoBackend::Done CryptoBackend::On(const request::CreateCryptoSession& create, Fds&) {
  if (mode() == Mode::kDevice) {
    return Error{ErrorCode::kUnsupported, "sessions come over the control queue in device mode"};
  }
  const auto payload = create.payload.bytes();
  const int64_t id = CreateSessionFromMessage(device_, payload);
  return vhost_user::Reply{vhost_user::EncodeCryptoSessionReply(payload, id)};
}

CryptoBackend::Done CryptoBackend::On(const request::CloseCryptoSession& close, Fds&) {
  if (mode() == Mode::kDevice) {
    return Error{ErrorCode::kUnsupported, "sessions come over the control queue in device mode"};
  }
  if (!device_.CloseSession(close.session_id)) {
    return Error{ErrorCode::kNotFound, "no session of that id"};
  }
  return DoneReply();
}

}  // namespace sealane::backend
