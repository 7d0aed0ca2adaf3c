// SPDX-License-Identifier: Apache-2.0
//
// CryptoDriver: a driver of one virtio-crypto device in user space (virtio 1.3, section 5.9).
// Sessions may be made and closed from any thread. Each data queue is a DataChannel, which belongs
// to one thread at a time; different channels run in parallel. Destroying the driver stops the
// device; every request still in flight ends first (see DataChannel), every session ends with it.
// No other call may run or begin meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/control_path.h"
#include "sealane/driver/data_channel.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/options.h"
#include "sealane/driver/session.h"
#include "sealane/driver/session_op.h"
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

  // Each waits for its own answer only, at most Options::control_timeout: then kTimeout, and a
  // session that is made too late is closed again. Any thread.
  Outcome<SessionId> CreateSession(const CipherSessionParams& params);
  Outcome<SessionId> CreateSession(const SessionParams& params);
  // Requests of the session that are in flight end with their result or kInvalidSession.
  Outcome<void> CloseSession(SessionId session);  // of the CIPHER service
  Outcome<void> CloseSession(Service service, SessionId session);

  // Many at once: as many as the device takes go to it together, with one doorbell and one wait.
  // Returns when each has its status. Any thread.
  void RunSessionOps(std::span<SessionOp> ops, std::chrono::nanoseconds timeout);
  void RunSessionOps(std::span<SessionOp> ops);  // with Options::control_timeout

  // Without waiting: begins the first n, as many as there is room for, and returns n. Each comes
  // back by its on_done, called from PollSessionOps (or the driver's destructor). Start: any
  // thread, on_done too. The others: one thread at a time.
  size_t StartSessionOps(std::span<SessionOp* const> ops);
  size_t PollSessionOps();  // how many came back
  // Sleeps until there is something for PollSessionOps. False: the time is over, or nothing was
  // started.
  bool WaitSessionOps(std::chrono::nanoseconds timeout);

  // Ends every session operation that is under way, and every later one, with kCanceled. Any
  // thread, on_done too.
  void ShutDownSessionOps();

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
  CryptoDriver(std::unique_ptr<Transport> transport, const Options& options);

  const std::chrono::milliseconds control_timeout_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<ControlPath> control_;
  std::vector<std::unique_ptr<DataChannel>> channels_;
};

}  // namespace sealane::driver
