// SPDX-License-Identifier: Apache-2.0
//
// EngineTarget: the slow or serial thing behind an EngineQueue, with as many jobs at once as the
// queue's in-flight limit. It answers through the queue: Finish, Pin, Unpin, Resume
// (engine_queue.h). Owned by whoever owns the queue; called by any thread, Start by one at a time.
//
// The memory rule. A job and what it points to (guest memory, which may be unmapped once the job is
// done) is the target's inside Start, and between Pin and Unpin or Finish. At any other moment it
// may have been taken back, because of a deadline or a Stop. So a target either
//  * copies in and out under a Pin and works on memory of its own, in which case a job is back in
//    bounded time whatever the target does (SerialEngine does this), or
//  * keeps the Pin for the whole operation, as hardware that writes into the job's memory must. It
//    then acknowledges every Abort with Finish in bounded time: there is no other bound.
#pragma once

#include <cstdint>

#include "sealane/crypto/engine_job.h"

namespace sealane::crypto {

// Names one start of one job. Never given out twice by a queue.
struct Ticket {
  uint32_t slot = 0;
  uint32_t epoch = 0;   // counts resets
  uint64_t serial = 0;  // counts starts
};

struct StartResult {
  enum class Kind : uint8_t {
    kStarted,  // Finish will be called for the ticket
    kBusy,     // nothing was taken. The job is offered again after the next Finish or Resume; a
               // target that is busy with nothing in flight calls Resume.
    kFailed,   // done, with the status
  };
  Kind kind = Kind::kStarted;
  Status status = Status::kError;  // for kFailed
};

class EngineTarget {
 public:
  virtual ~EngineTarget() = default;

  // Does not wait. Finish may be called before it returns; OnDone comes after that.
  virtual StartResult Start(EngineJob& job, Ticket ticket) = 0;

  // The job is not wanted any more: call Finish soon. A target that is soon done anyway need not
  // care. The job itself may be gone.
  virtual void Abort(Ticket /*ticket*/) {}

  // Begins anew: true if no job given before is touched, and no ticket counts, from now on. Called
  // with no job outside quarantine.
  virtual bool Reset() { return false; }
};

}  // namespace sealane::crypto
