// SPDX-License-Identifier: Apache-2.0
#include "engine_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "fault_fixture.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::faults {

using namespace std::chrono_literals;
using testing::CipherRequest;

EngineFixture::EngineFixture(crypto::Engine& engine)
    : device(std::move(*device::CryptoDevice::Create(engine, {}))) {
  device->SetMemory(guest.memory());
  Start(0);
  session = device->CreateSession(crypto::CipherParams{.key = SecretBytes(16)}).value();
}

void EngineFixture::Start(uint16_t next_avail) {
  device::QueueSetup setup;
  setup.size = kRingSize;
  setup.location = queue.location();
  setup.next_avail = next_avail;
  setup.kick = kick.Duplicate().value();
  ASSERT_TRUE(device->StartQueue(0, std::move(setup)).has_value());
}

void EngineFixture::Submit(uint32_t count) {
  chains.clear();
  for (uint32_t head = 0; head < count; ++head) {
    chains.emplace_back(guest);
    chains[head].Readable(
        CipherRequest{.session_id = session, .src_len = 16, .dst_len = 16}.Bytes());
    chains[head].Readable(Bytes(16)).Readable(Bytes(16, static_cast<uint8_t>(head))).Writable(17);
    chains[head].OfferIndirect(queue, static_cast<uint16_t>(head));
  }
  queue.Publish();
  kick.Signal();
}

std::vector<EngineFixture::UsedElem> EngineFixture::Collect(size_t count) {
  std::vector<UsedElem> used;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (used.size() < count && std::chrono::steady_clock::now() < end) {
    const auto more = queue.TakeUsed();
    used.insert(used.end(), more.begin(), more.end());
    std::this_thread::yield();
  }
  return used;
}

bool EngineFixture::AllServed(std::vector<UsedElem> used, uint32_t count) {
  if (used.size() != count) return false;
  std::ranges::sort(used, {}, &UsedElem::id);
  for (uint32_t head = 0; head < count; ++head) {
    Bytes expected(16, static_cast<uint8_t>(~head));
    expected.push_back(wire::VIRTIO_CRYPTO_OK);
    if (used[head] != UsedElem{.id = head, .len = 17}) return false;
    if (chains[head].written() != expected) return false;
  }
  return true;
}

bool EngineFixture::AllFailed(std::vector<UsedElem> used, uint32_t count, uint8_t status) {
  if (used.size() != count) return false;
  std::ranges::sort(used, {}, &UsedElem::id);
  for (uint32_t head = 0; head < count; ++head) {
    if (used[head] != UsedElem{.id = head, .len = 1}) return false;
    if (chains[head].written().back() != status) return false;
  }
  return true;
}

}  // namespace sealane::faults
