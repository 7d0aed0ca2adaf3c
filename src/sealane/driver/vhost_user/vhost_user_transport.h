// SPDX-License-Identifier: Apache-2.0
//
// VhostUserTransport: a device behind a vhost-user socket (QEMU docs/interop/vhost-user.rst), in
// one of two modes. kDevice: the back-end is the whole device: features, configuration space, data
// queues and the control queue. kCryptodev: the back-end serves QEMU's cryptodev-vhost-user: data
// queues only, started by SET_VRING_KICK alone, sessions by messages 26 and 27, no configuration
// space. Threads as in transport.h; the messages may be used from any thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/base/result.h"
#include "sealane/driver/transport.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/vhost_user/frontend.h"

namespace sealane::driver {

enum class VhostUserMode : uint8_t { kDevice, kCryptodev };

struct VhostUserOptions {
  VhostUserMode mode = VhostUserMode::kDevice;
  // How sessions are described in kCryptodev; the newest is what QEMU 8.1 and later speak.
  vhost_user::CryptoLayout layout = vhost_user::CryptoLayout::kL3;
  bool event_idx = true;                       // use EVENT_IDX if the back-end has it
  bool revision_1 = true;                      // REVISION_1 and stateless requests, likewise
  uint64_t memory_size = uint64_t{256} << 20;  // bytes shared with the back-end
  std::chrono::milliseconds timeout{5000};     // for each message
};

class VhostUserTransport final : public Transport, private SessionMessages {
 public:
  // Connects to a socket file, negotiates, and hands the memory over. Fails if the back-end lacks
  // what the mode needs.
  static Result<std::unique_ptr<VhostUserTransport>> Connect(const std::string& path,
                                                             const VhostUserOptions& options);

  // The same over a connection that exists. `options.timeout` is not used.
  static Result<std::unique_ptr<VhostUserTransport>> Create(vhost_user::Frontend frontend,
                                                            const VhostUserOptions& options);
  // Closes the connection, with which the back-end gives everything up.
  ~VhostUserTransport() override = default;

  const char* name() const override { return "vhost-user"; }
  uint64_t features() const override { return features_; }
  const DeviceConfig& config() const override { return config_; }
  uint32_t max_queue_size() const override;
  const std::shared_ptr<DmaRegion>& memory() const override { return memory_; }
  Result<void> StartQueue(uint16_t index, const RingLocation& ring) override;
  Result<void> StopQueue(uint16_t index) override;
  void Kick(uint16_t index) override { queues_[index].kick.Signal(); }
  const EventFd& interrupt(uint16_t index) const override { return queues_[index].call; }
  void WaitForInterrupt(uint16_t index, int timeout_ms) const override;
  bool IsBroken(uint16_t index) const override;
  SessionMessages* messages() override;

 private:
  struct Queue {
    EventFd kick;
    EventFd call;
    EventFd err;
    bool running = false;
  };

  VhostUserTransport(vhost_user::Frontend frontend, const VhostUserOptions& options)
      : frontend_(std::move(frontend)), options_(options) {}
  bool device_mode() const { return options_.mode == VhostUserMode::kDevice; }
  bool Acknowledged(unsigned protocol_feature) const;
  Result<void> Negotiate();
  Result<void> NegotiateProtocol();
  Result<void> NegotiateDevice(uint64_t offered);
  Result<void> NegotiateCryptodev();
  Result<void> ReadConfig(uint64_t num_queues);
  Result<void> ShareMemory();
  Result<void> SetUpVring(uint16_t index, const RingLocation& ring, const Queue& queue);
  Result<void> SetStatusBits(uint8_t bits);

  Outcome<SessionId> CreateSession(const SessionParams& params) override;
  Outcome<void> CloseSession(SessionId session) override;

  std::mutex mutex_;  // over frontend_: one exchange at a time
  vhost_user::Frontend frontend_;
  const VhostUserOptions options_;
  uint64_t features_ = 0;
  uint8_t status_ = 0;
  DeviceConfig config_;
  std::shared_ptr<DmaRegion> memory_;
  std::vector<Queue> queues_;  // never resized once made
};

}  // namespace sealane::driver
