// SPDX-License-Identifier: Apache-2.0
//
// AutoEngine: every service, each where it belongs: what is quick on the calling thread, RSA and
// ECDSA on a thread of their own behind an engine queue, so that they never hold up a lane. All of
// it by OpenSSL so far. Threads as Engine says.
//
// What one engine (one guest, in sealaned) can have of asymmetric work is one thread, whose queue
// is bounded; what does not fit waits in the lane, bounded by the caller's requests.
#pragma once

#include <memory>

#include "sealane/crypto/engine.h"

namespace sealane::crypto {

class AutoEngine final : public Engine {
 public:
  struct Options {
    bool enable_legacy = false;  // DES and ARC4
  };
  static Result<std::unique_ptr<AutoEngine>> Create(const Options& options);
  static Result<std::unique_ptr<AutoEngine>> Create() { return Create(Options{}); }

  const EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) override;
  Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) override;

 private:
  AutoEngine(std::unique_ptr<Engine> quick, std::unique_ptr<Engine> slow);

  const std::unique_ptr<Engine> quick_;
  const std::unique_ptr<Engine> slow_;
  const EngineCaps caps_;
};

}  // namespace sealane::crypto
