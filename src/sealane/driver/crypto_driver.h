// SPDX-License-Identifier: Apache-2.0
//
// CryptoDriver: a driver of one virtio-crypto device in user space (virtio 1.3, section 5.9).
// Sessions may be made and closed from any thread. Each data queue is a DataChannel, which belongs
// to one thread at a time; different channels run in parallel. Destroying the driver stops the
// device; every request still in flight ends first (see DataChannel), every session ends with it.
// No other call may run or begin meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/control_path.h"
#include "sealane/driver/data_channel.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/options.h"
#include "sealane/driver/session.h"
#include "sealane/driver/status.h"
#include "sealane/driver/transport.h"

namespace sealane::driver {

class CryptoDriver {
 public:
  // Starts the control path and the data queues. Fails if the device is unusable or an option is
  // out of its range.
  static Result<std::unique_ptr<CryptoDriver>> Create(std::unique_ptr<Transport> transport,
                                                      const Options& options);
  ~CryptoDriver();
  CryptoDriver(const CryptoDriver&) = delete;
  CryptoDriver& operator=(const CryptoDriver&) = delete;

  // A key of 1 to 64 bytes. Waits for the device, at most Options::control_timeout.
  Outcome<SessionId> CreateSession(const CipherSessionParams& params);

  // Requests of the session that are in flight end with their result or kInvalidSession.
  Outcome<void> CloseSession(SessionId session);

  size_t num_channels() const { return channels_.size(); }
  DataChannel& channel(size_t i) { return *channels_[i]; }

  // Memory that the device sees: a request whose payload lies in it is not copied. kNoSpace when
  // the transport's DMA memory is used up.
  Result<DmaBuffer> AllocateBuffer(size_t size);

  // What the device says about itself, and what was agreed on.
  const DeviceConfig& config() const { return transport_->config(); }
  uint64_t features() const { return transport_->features(); }
  const char* transport_name() const { return transport_->name(); }

 private:
  explicit CryptoDriver(std::unique_ptr<Transport> transport);

  std::unique_ptr<Transport> transport_;
  std::unique_ptr<ControlPath> control_;
  std::vector<std::unique_ptr<DataChannel>> channels_;
};

}  // namespace sealane::driver
