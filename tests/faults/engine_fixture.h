// SPDX-License-Identifier: Apache-2.0
//
// EngineFixture: a device over an engine that inverts every byte (SlowEngine, or one on top of it),
// with one queue and one session, and a driver that offers many requests at once. Owned by a test;
// the engine outlives it. One thread besides the device's own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/crypto/engine.h"
#include "sealane/device/crypto_device.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/fake_driver_queue.h"
#include "sealane/testing/guest_fixture.h"

namespace sealane::faults {

struct EngineFixture {
  static constexpr uint32_t kRingSize = 1024;
  using UsedElem = testing::FakeDriverQueue::UsedElem;

  explicit EngineFixture(crypto::Engine& engine);

  // Starts the queue.
  void Start(uint16_t next_avail);

  // Offers `count` requests with the heads from 0 on, all at once.
  void Submit(uint32_t count);
  // What came back: `count` requests, or fewer after 30 seconds.
  std::vector<UsedElem> Collect(size_t count);
  // Whether each of the first `count` heads came back once, with the right bytes.
  bool AllServed(std::vector<UsedElem> used, uint32_t count);
  // Whether each of them came back once, with this status and nothing else.
  bool AllFailed(std::vector<UsedElem> used, uint32_t count, uint8_t status);

  testing::GuestFixture guest;
  testing::FakeDriverQueue queue{guest, kRingSize};
  EventFd kick = EventFd::Create().value();
  std::unique_ptr<device::CryptoDevice> device;
  uint64_t session = 0;
  std::vector<testing::ChainBuilder> chains;
};

}  // namespace sealane::faults
