// SPDX-License-Identifier: Apache-2.0
//
// SessionOp: one session to be made or closed (virtio 1.3, 5.9.7.2), for callers that have many of
// them under way. The caller owns it; the driver borrows it from CryptoDriver::RunSessionOps or
// StartSessionOps until it is done. One thread at a time.
#pragma once

#include <cstdint>

#include "sealane/base/error.h"
#include "sealane/driver/session.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

struct SessionOp {
  enum class Kind : uint8_t { kCreate, kClose };
  Kind kind = Kind::kCreate;
  SessionParams params{};              // kCreate: what of
  Service service = Service::kCipher;  // kClose: of which service the session is
  SessionId session{};                 // kClose: which; kCreate: the new one, with kOk

  // The caller's own.
  uint64_t cookie = 0;
  // Called once by PollSessionOps for what StartSessionOps took, with no lock held: it may start
  // operations, also this one again, free this one, or shut the driver down.
  void (*on_done)(SessionOp&) = nullptr;

  // Results.
  Status status = Status::kOk;  // kPending until it is done
  Error error{};                // says more when the device did not answer
};

}  // namespace sealane::driver
