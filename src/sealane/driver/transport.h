// SPDX-License-Identifier: Apache-2.0
//
// Transport: how the driver reaches one device: a loopback device in this process, a vhost-user
// back-end, later a PCI function. A transport that exists is connected and has negotiated features.
// The CryptoDriver that it is given to owns it. Kick, interrupt, WaitForInterrupt and IsBroken may
// be called from any thread, the rest from one thread at a time. Nothing that a transport reports
// about the device is believed without a check.
#pragma once

#include <cstdint>
#include <memory>

#include "sealane/base/event_fd.h"
#include "sealane/base/result.h"
#include "sealane/driver/device_config.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/session.h"
#include "sealane/driver/status.h"
#include "sealane/mem/guest_addr.h"

namespace sealane::driver {

// Where a ring lies in the transport's DmaRegion.
struct RingLocation {
  uint32_t size = 0;  // descriptors
  mem::GuestAddr desc{};
  mem::GuestAddr avail{};
  mem::GuestAddr used{};
};

// Sessions by message instead of by control ring (vhost-user messages 26 and 27). Any thread.
class SessionMessages {
 public:
  virtual ~SessionMessages() = default;
  // kNotSupported: the messages cannot carry such a session.
  virtual Outcome<SessionId> CreateSession(const SessionParams& params) = 0;
  // The message has no answer: success means that it was sent.
  virtual Outcome<void> CloseSession(SessionId session) = 0;
};

class Transport {
 public:
  // Stops every queue. Afterwards the device touches no shared memory, or is not ours any more.
  virtual ~Transport() = default;

  virtual const char* name() const = 0;  // "loopback", "vhost-user"

  // The bits that both sides agreed on (VIRTIO_RING_F_*, VIRTIO_F_*).
  virtual uint64_t features() const = 0;
  virtual const DeviceConfig& config() const = 0;
  virtual uint32_t max_queue_size() const = 0;  // a power of two

  // Where rings and requests have to lie.
  virtual const std::shared_ptr<DmaRegion>& memory() const = 0;

  // Data queues are 0 to config().max_data_queues - 1. Without messages(), the control queue has
  // the index max_data_queues (5.9.2).
  virtual Result<void> StartQueue(uint16_t index, const RingLocation& ring) = 0;

  // Once it returns the device uses the ring and its buffers no more. Fails if the device does not
  // confirm that. Stopping a queue that does not run succeeds.
  virtual Result<void> StopQueue(uint16_t index) = 0;

  virtual void Kick(uint16_t index) = 0;

  // Rung by the device when it wants a running queue's used ring looked at.
  virtual const EventFd& interrupt(uint16_t index) const = 0;

  // Sleeps until a running queue's interrupt is rung, IsBroken is true, or the time is over
  // (negative: never); does not drain the interrupt. Wakes for no reason at times.
  virtual void WaitForInterrupt(uint16_t index, int timeout_ms) const = 0;

  // Whether the device gave this queue up or went away. Costs a system call.
  virtual bool IsBroken(uint16_t index) const = 0;

  // Null: sessions are made on the control queue.
  virtual SessionMessages* messages() = 0;
};

}  // namespace sealane::driver
