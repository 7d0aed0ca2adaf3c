// SPDX-License-Identifier: Apache-2.0
//
// DeviceFixture: a CryptoDevice with OpenSSL behind it and a fake driver's rings before it: one
// data queue and the control queue, running. One thread besides the device's own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sealane/crypto/engine.h"
#include "sealane/device/crypto_device.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/fake_driver_queue.h"
#include "sealane/testing/guest_fixture.h"

namespace sealane::testing {

class DeviceFixture {
 public:
  using UsedElem = FakeDriverQueue::UsedElem;

  explicit DeviceFixture(device::CryptoDevice::Options options = {});

  // Publishes what was offered on a queue, kicks, and waits until `count` chains are back. Fewer
  // come back if the device takes too long.
  std::vector<UsedElem> Run(uint32_t index, size_t count = 1);

  // Over the control queue: an AES-128-CBC session by default. 0 if it was refused.
  uint64_t CreateSession(std::span<const uint8_t> key, uint32_t direction,
                         uint32_t algo = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC);

  // Sends one finished chain over a queue and returns its used length. -1: it did not come back.
  int64_t Send(uint32_t index, ChainBuilder& chain);

  // The device's setup of a ring, so that tests can start it anew.
  device::QueueSetup MakeSetup(uint32_t index);

  GuestFixture guest;
  std::unique_ptr<crypto::Engine> engine;
  std::unique_ptr<device::CryptoDevice> device;
  std::vector<std::unique_ptr<FakeDriverQueue>> queues;  // the last is the control queue
  std::vector<EventFd> kicks;
  std::vector<EventFd> calls;
  std::vector<EventFd> errors;
};

inline constexpr uint32_t kDataQueue = 0;

}  // namespace sealane::testing
