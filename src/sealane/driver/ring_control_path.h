// SPDX-License-Identifier: Apache-2.0
//
// RingControlPath: sessions by control queue (virtio 1.3, 5.9.7.2). Any thread.
//
// The lock is held while requests are added to the ring and while finished ones are taken from it,
// never while the device works or a doorbell is rung. Each waiting thread waits for its own
// operations, as lead.h describes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/control_path.h"
#include "sealane/driver/control_slots.h"
#include "sealane/driver/lead.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/driver/session_batch.h"
#include "sealane/driver/transport.h"

namespace sealane::driver {

class RingControlPath final : public ControlPath, private Lead::Ring {
 public:
  // Starts the control queue. The transport outlives the path.
  static Result<std::unique_ptr<RingControlPath>> Create(Transport& transport);
  // Shuts down. No call may run or begin meanwhile.
  ~RingControlPath() override;

  void Run(std::span<SessionOp> ops, Clock::time_point deadline) override;
  size_t Start(std::span<SessionOp* const> ops) override;
  size_t Poll() override;
  bool Wait(Clock::time_point deadline) override;
  void Shutdown() override;

 private:
  // What is with the device in one slot.
  struct Slot {
    bool taken = false;
    SessionOp* op = nullptr;        // null while taken: nobody waits for it any more
    SessionBatch* batch = nullptr;  // null: it was started, not run
    Service service = Service::kCipher;
  };
  using Lock = std::unique_lock<std::mutex>;

  RingControlPath(Transport& transport, uint16_t index, QueueMemory queue, ControlSlots slots,
                  size_t num_slots);

  // With the lead.
  void TakeUsed() override;
  void SleepForDevice(Clock::time_point deadline) override;

  void Abandon(SessionBatch& batch);

  // With the lock. What is done now is added to `done`, to be told without it.
  bool Feed(SessionBatch*& done);
  bool Send(SessionOp& op, SessionBatch* batch, SessionBatch*& done);
  bool SendClosesOfOrphans();
  void Put(size_t slot, const ControlSlots::Chain& chain);
  void TakeAnswer(size_t slot, uint32_t used_len, SessionBatch*& done);
  void Finish(SessionOp& op, SessionBatch* batch, const Outcome<SessionId>& answer,
              SessionBatch*& done);
  void FailAll(const Failure& failure, SessionBatch*& done);
  void FreeSlot(size_t slot);
  static void Tell(SessionBatch* done);

  Transport& transport_;
  const uint16_t index_;
  const bool revision_1_;  // how requests are framed

  std::mutex mutex_;
  DmaBuffer ring_memory_;
  ring::driver::SplitQueue queue_;
  ControlSlots memory_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_slots_;
  std::vector<size_t> slot_of_head_;
  std::deque<SessionBatch*> waiting_;  // have operations that are not sent yet
  std::vector<SessionBatch*> sleepers_;
  SessionBatch* appointed_ = nullptr;                   // has been given the lead
  std::vector<SessionOp*> finished_;                    // started and done, for Poll
  size_t num_started_ = 0;                              // and not done
  SessionBatch* poller_ = nullptr;                      // the thread in Wait
  std::vector<std::pair<Service, SessionId>> orphans_;  // sessions that were made too late
  std::optional<Failure> dead_;
  bool shut_down_ = false;

  Lead lead_;  // of the used ring
};

}  // namespace sealane::driver
