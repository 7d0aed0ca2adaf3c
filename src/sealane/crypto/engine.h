// SPDX-License-Identifier: Apache-2.0
//
// Engine: something that can do cipher operations. It makes sessions (any thread) and lanes (one
// per worker thread).
#pragma once

#include <cstdint>
#include <expected>
#include <memory>

#include "sealane/base/result.h"
#include "sealane/crypto/lane.h"
#include "sealane/crypto/session.h"
#include "sealane/crypto/status.h"

namespace sealane::crypto {

struct EngineCaps {
  const char* name = "";
  uint32_t ciphers = 0;  // bit i: CipherAlgorithm(i) is offered

  bool Offers(CipherAlgorithm algorithm) const {
    return (ciphers >> static_cast<unsigned>(algorithm) & 1U) != 0;
  }
};

// Wakes the thread that runs a lane. Wake is called from other threads, once whenever finished work
// appears where there was none. An engine that finishes on the calling thread never calls it.
class Waker {
 public:
  virtual ~Waker() = default;
  virtual void Wake() = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual const EngineCaps& caps() const = 0;

  // Takes the key over. kNotSupported: the algorithm is not offered. kError: no key of that
  // algorithm (wrong length, or XTS with two equal halves).
  virtual std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) = 0;

  // The waker outlives the lane. The engine outlives its sessions and lanes.
  virtual Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) = 0;
};

}  // namespace sealane::crypto
