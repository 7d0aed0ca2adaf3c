// SPDX-License-Identifier: Apache-2.0
//
// SlowEngine: a stand-in for hardware. Each lane takes a few operations at a time, a thread of its
// own finishes them later and in reverse order, and calls the waker. Its "cipher" inverts every
// byte; sessions are counted, so that a test can see when the last reference to one is gone.
// Made by a test, outlives the device; Hold and Release from any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "sealane/crypto/engine.h"

namespace sealane::faults {

// What the engine shares with its lanes.
struct SlowEngineState {
  std::mutex mutex;
  std::condition_variable changed;
  bool held = false;          // under the mutex: nothing finishes
  size_t most_in_flight = 0;  // under the mutex: seen in one lane
  std::atomic<int> sessions{0};
};

class SlowEngine final : public crypto::Engine {
 public:
  explicit SlowEngine(size_t depth) : depth_(depth) {}

  const crypto::EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const crypto::Session>, crypto::Status> CreateSession(
      crypto::SessionParams params) override;
  Result<std::unique_ptr<crypto::Lane>> OpenLane(crypto::Waker& waker) override;

  // From now on nothing finishes, until Release.
  void Hold() { SetHeld(true); }
  void Release() { SetHeld(false); }

  int num_sessions() const { return state_.sessions.load(); }
  size_t most_in_flight();

 private:
  void SetHeld(bool held);

  const crypto::EngineCaps caps_{.name = "slow", .ciphers = {crypto::CipherAlgorithm::kAesCbc}};
  const size_t depth_;
  SlowEngineState state_;
};

}  // namespace sealane::faults
