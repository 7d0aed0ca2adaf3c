// SPDX-License-Identifier: Apache-2.0
//
// SessionBatch: a thread that waits on the control path, and the operations that it waits for.
// Lives on that thread's stack. All but the waiter is guarded by the path's lock.
#pragma once

#include <cstddef>
#include <span>

#include "sealane/driver/lead.h"
#include "sealane/driver/session_op.h"

namespace sealane::driver {

struct SessionBatch {
  explicit SessionBatch(std::span<SessionOp> operations)
      : ops(operations), num_left(operations.size()) {}

  std::span<SessionOp> ops;
  size_t num_sent = 0;                // of `ops`, from the front, are with the device or done
  size_t num_left;                    // of `ops` are not done
  SessionBatch* next_done = nullptr;  // in a list of those to be told
  Waiter waiter;
};

}  // namespace sealane::driver
