// SPDX-License-Identifier: Apache-2.0
//
// Op: one cipher operation as a lane sees it. Whoever made it owns it; a lane borrows it from
// Submit until Poll returns it, and only reads the inputs and sets `status` meanwhile. One thread
// at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/crypto/algorithm.h"
#include "sealane/crypto/status.h"

namespace sealane::crypto {

class LaneSession;

// A piece of payload. It may be guest memory, which can change at any time: an engine takes no
// decision on its bytes.
struct Segment {
  uint8_t* data;
  size_t size;
};

struct Op {
  LaneSession* session = nullptr;  // of the lane that the op is submitted to
  // The payload in pieces. Both lists have the same total, which is IsValidPayloadLen for the
  // session's algorithm. They may be the same memory, or overlap in part: the result is as if the
  // source had been read before anything was written.
  std::span<const Segment> src;
  std::span<const Segment> dst;
  uint64_t len = 0;                     // that total, bytes
  std::array<uint8_t, kMaxIvLen> iv{};  // the first Traits(algorithm).iv_len bytes count
  Status status = Status::kOk;          // set by the lane
};

}  // namespace sealane::crypto
