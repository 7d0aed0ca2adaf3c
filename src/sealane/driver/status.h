// SPDX-License-Identifier: Apache-2.0
//
// Status: how a request or a session operation ended: the device's answer (virtio 1.3, 5.9.7, the
// numbers of the wire) or the driver's own finding. Outcome<T>: a value, or a Failure that keeps
// the two apart. Values; any thread.
#pragma once

#include <cstdint>
#include <expected>

#include "sealane/base/error.h"

namespace sealane::driver {

enum class Status : uint8_t {
  // Answers of the device, with their numbers on the wire.
  kOk = 0,
  kError = 1,
  kBadMessage = 2,
  kNotSupported = 3,
  kInvalidSession = 4,
  kNoSpace = 5,
  kKeyRejected = 6,
  // Findings of the driver.
  kPending = 64,     // submitted and not yet done
  kInvalidArgument,  // the request cannot be expressed; it never reached the device
  kBadReply,         // the device answered something that cannot be true
  kBroken,           // the queue or the connection can no longer be trusted
  kCanceled,         // the driver was shut down with the request in flight
  kTimeout,          // the deadline passed; the device may still be working on it
  kUnavailable,      // the request could not be handed over (queue full, connection closed)
};

constexpr bool IsDeviceAnswer(Status status) { return status <= Status::kKeyRejected; }

// The words of `sealane run`: "ok", "err", "badmsg", "notsupp", "invsess", "nospc", "key_rejected",
// and for the driver's findings "pending", "invalid_argument", "bad_reply", "broken", "canceled",
// "timeout", "unavailable".
const char* ToString(Status status);

// A status word of the device; kBadReply for a number that the specification does not have.
constexpr Status StatusFromWire(uint32_t value) {
  constexpr auto kMax = static_cast<uint32_t>(Status::kKeyRejected);
  return value <= kMax ? static_cast<Status>(value) : Status::kBadReply;
}

struct Failure {
  Status status = Status::kError;  // never kOk
  Error error;                     // says more when the device did not answer
};

template <class T>
class [[nodiscard]] Outcome : public std::expected<T, Failure> {
 public:
  using std::expected<T, Failure>::expected;
  Outcome(Failure failure) : std::expected<T, Failure>(std::unexpect, failure) {}
};

}  // namespace sealane::driver
