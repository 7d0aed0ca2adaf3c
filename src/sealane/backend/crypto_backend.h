// SPDX-License-Identifier: Apache-2.0
//
// CryptoBackend: a CryptoDevice behind the vhost-user protocol: messages in, replies out, no
// sockets inside. One object for one connection: it finds a clean device and leaves a clean one,
// whatever the front-end did. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sealane/backend/memory_table.h"
#include "sealane/backend/mode.h"
#include "sealane/backend/vring.h"
#include "sealane/device/crypto_device.h"
#include "sealane/vhost_user/handler.h"

namespace sealane::backend {

class CryptoBackend final : public vhost_user::Handler {
 public:
  // `forced`: the mode, whatever the front-end acknowledges. The device is not used by anybody else
  // meanwhile.
  CryptoBackend(device::CryptoDevice& device, std::optional<Mode> forced);
  // Stops the device's queues, closes its sessions, lets go of the memory.
  ~CryptoBackend() override;

  Result<vhost_user::Reply> Handle(const vhost_user::Request& request,
                                   std::vector<UniqueFd> fds) override;

  // Virtio and protocol feature bits that this back-end offers.
  uint64_t OfferedFeatures() const;
  static uint64_t OfferedProtocolFeatures(std::optional<Mode> forced);

  Mode mode() const { return SelectMode(protocol_features_, forced_); }

 private:
  using Fds = std::vector<UniqueFd>;
  using Done = Result<vhost_user::Reply>;

  // One for each kind of request.
  Done On(const vhost_user::request::GetFeatures&, Fds&);
  Done On(const vhost_user::request::SetFeatures&, Fds&);
  Done On(const vhost_user::request::SetOwner&, Fds&);
  Done On(const vhost_user::request::ResetOwner&, Fds&);
  Done On(const vhost_user::request::SetMemTable&, Fds&);
  Done On(const vhost_user::request::AddMemReg&, Fds&);
  Done On(const vhost_user::request::RemMemReg&, Fds&);
  Done On(const vhost_user::request::GetMaxMemSlots&, Fds&);
  Done On(const vhost_user::request::SetVringNum&, Fds&);
  Done On(const vhost_user::request::SetVringAddr&, Fds&);
  Done On(const vhost_user::request::SetVringBase&, Fds&);
  Done On(const vhost_user::request::GetVringBase&, Fds&);
  Done On(const vhost_user::request::SetVringKick&, Fds&);
  Done On(const vhost_user::request::SetVringCall&, Fds&);
  Done On(const vhost_user::request::SetVringErr&, Fds&);
  Done On(const vhost_user::request::SetVringEnable&, Fds&);
  Done On(const vhost_user::request::GetProtocolFeatures&, Fds&);
  Done On(const vhost_user::request::SetProtocolFeatures&, Fds&);
  Done On(const vhost_user::request::GetQueueNum&, Fds&);
  Done On(const vhost_user::request::SetBackendReqFd&, Fds&);
  Done On(const vhost_user::request::GetConfig&, Fds&);
  Done On(const vhost_user::request::SetConfig&, Fds&);
  Done On(const vhost_user::request::CreateCryptoSession&, Fds&);
  Done On(const vhost_user::request::CloseCryptoSession&, Fds&);
  Done On(const vhost_user::request::ResetDevice&, Fds&);
  Done On(const vhost_user::request::SetStatus&, Fds&);
  Done On(const vhost_user::request::GetStatus&, Fds&);
  Done On(const vhost_user::request::Unknown&, Fds&);

  uint32_t num_queues() const;
  Result<Vring*> FindVring(uint32_t index);
  // The same, but only while the ring is stopped.
  Result<Vring*> FindStoppedVring(uint32_t index);
  Done UseMemory(Result<MemoryTable::Table> table);
  bool IsEnabled(const Vring& vring) const;
  ring::EventMode event_mode() const;
  device::Framing framing() const;
  Result<void> StartIfReady(uint32_t index);
  void StopRing(uint32_t index);
  void ResetState();

  device::CryptoDevice& device_;
  const std::optional<Mode> forced_;
  uint64_t features_ = 0;
  uint64_t protocol_features_ = 0;
  uint8_t status_ = 0;
  MemoryTable memory_;
  std::vector<Vring> vrings_;
  UniqueFd backend_req_;  // accepted, because front-ends offer it; nothing is sent on it
};

}  // namespace sealane::backend
