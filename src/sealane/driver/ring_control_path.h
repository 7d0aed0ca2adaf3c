// SPDX-License-Identifier: Apache-2.0
//
// RingControlPath: sessions by control queue (virtio 1.3, 5.9.7.2). Any thread. The lock is held
// while a request is added and kicked and while finished ones are taken, never while the device
// works: of the waiting threads one at a time sleeps for the device's interrupt and wakes the
// others. A request whose caller gave up keeps its memory until the device returns it, and a
// session that was made too late for its caller is closed again.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/control_path.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/driver/transport.h"

namespace sealane::driver {

class RingControlPath final : public ControlPath {
 public:
  // Starts the control queue. The transport outlives the path.
  static Result<std::unique_ptr<RingControlPath>> Create(Transport& transport,
                                                         std::chrono::milliseconds timeout);
  // Stops the queue. No call may run or begin meanwhile.
  ~RingControlPath() override;

  Outcome<SessionId> CreateSession(const CipherSessionParams& params) override;
  Outcome<void> CloseSession(SessionId session) override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State : uint8_t { kFree, kWaiting, kDone, kAbandoned };
  struct Slot {
    State state = State::kFree;
    bool creates = false;   // a create request; else a destroy request
    uint32_t used_len = 0;  // bytes that the device wrote, once kDone
  };
  using Lock = std::unique_lock<std::mutex>;

  RingControlPath(Transport& transport, uint16_t index, std::chrono::milliseconds timeout,
                  QueueMemory queue, DmaBuffer slot_memory);
  // The device's whole answer to a request, or why there is none.
  Outcome<SessionId> Exchange(std::span<const uint8_t> request, std::span<const uint8_t> key);
  std::optional<size_t> TakeSlot(Lock& lock, Clock::time_point deadline);
  bool Send(size_t slot, std::span<const uint8_t> request, std::span<const uint8_t> key);
  bool AwaitDone(Lock& lock, size_t slot, Clock::time_point deadline);
  void LeadOnce(Lock& lock, Clock::time_point deadline);
  void Drain();
  void DropLate(size_t slot);
  Outcome<SessionId> ReadAnswer(size_t slot) const;
  void Recycle(size_t slot);
  mem::GuestRange MemoryOf(size_t slot) const;

  Transport& transport_;
  const uint16_t index_;
  const std::chrono::milliseconds timeout_;

  // The queue's used side belongs to the thread that leads, the rest to whoever holds the lock.
  std::mutex mutex_;
  std::condition_variable changed_;  // a slot is done or free, or nobody leads
  bool leading_ = false;             // a thread waits for the device on behalf of all
  DmaBuffer ring_memory_;
  ring::driver::SplitQueue queue_;
  DmaBuffer slot_memory_;
  std::vector<Slot> slots_;
  std::vector<size_t> slot_of_head_;
  std::optional<Error> error_;
};

}  // namespace sealane::driver
