// SPDX-License-Identifier: Apache-2.0
//
// Lane: one worker's way into an engine. Everything here belongs to one thread, so there is no lock
// and no reference count per operation.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sealane/base/result.h"
#include "sealane/crypto/op.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

// A session made ready for one lane (an expanded key, a cipher context). Destroyed by the lane's
// thread, after the last op that names it came back from Poll; wipes what it holds.
class LaneSession {
 public:
  virtual ~LaneSession() = default;
};

class Lane {
 public:
  virtual ~Lane() = default;

  // Fails only when resources run out. The lane session keeps its own reference to the session.
  virtual Result<std::unique_ptr<LaneSession>> OpenSession(
      std::shared_ptr<const Session> session) = 0;

  // Takes the first n ops and returns n; less than all of them means that the lane is full until
  // Poll returned some.
  virtual size_t Submit(std::span<Op* const> ops) = 0;

  // Fills `done` from the front with finished ops, in any order, and returns how many. Their status
  // is set.
  virtual size_t Poll(std::span<Op*> done) = 0;

  // Finishes whatever the lane holds back to fill a batch.
  virtual void Flush() = 0;

  // Ops submitted and not yet returned by Poll.
  virtual size_t in_flight() const = 0;
};

}  // namespace sealane::crypto
