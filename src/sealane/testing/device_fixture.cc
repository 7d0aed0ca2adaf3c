// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/device_fixture.h"

#include <chrono>
#include <cstring>
#include <thread>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/testing/crypto_requests.h"

namespace sealane::testing {
namespace {

constexpr std::chrono::seconds kPatience{20};
constexpr uint32_t kQueueSize = 256;

EventFd MakeEventFd() {
  auto fd = EventFd::Create();
  SL_CHECK(fd.has_value());
  return std::move(*fd);
}

}  // namespace

DeviceFixture::DeviceFixture(device::CryptoDevice::Options options) : guest(uint64_t{16} << 20) {
  auto openssl = crypto::OpenSslEngine::Create();
  SL_CHECK(openssl.has_value());
  engine = std::move(*openssl);
  auto created = device::CryptoDevice::Create(*engine, options);
  SL_CHECK(created.has_value());
  device = std::move(*created);
  device->SetMemory(guest.memory());
  for (uint32_t index = 0; index < device->num_queues(); ++index) {
    queues.push_back(std::make_unique<FakeDriverQueue>(guest, kQueueSize));
    kicks.push_back(MakeEventFd());
    calls.push_back(MakeEventFd());
    errors.push_back(MakeEventFd());
    SL_CHECK(device->StartQueue(index, MakeSetup(index)).has_value());
  }
}

device::QueueSetup DeviceFixture::MakeSetup(uint32_t index) {
  device::QueueSetup setup;
  setup.size = queues[index]->size();
  setup.location = queues[index]->location();
  setup.kick = kicks[index].Duplicate().value();
  setup.notifier = std::make_unique<device::EventFdNotifier>(calls[index].Duplicate().value());
  setup.error = errors[index].Duplicate().value();
  return setup;
}

std::vector<DeviceFixture::UsedElem> DeviceFixture::Run(uint32_t index, size_t count) {
  queues[index]->Publish();
  kicks[index].Signal();
  std::vector<UsedElem> used;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (used.size() < count && std::chrono::steady_clock::now() < end) {
    const auto more = queues[index]->TakeUsed();
    used.insert(used.end(), more.begin(), more.end());
    if (more.empty()) std::this_thread::yield();
  }
  return used;
}

int64_t DeviceFixture::Send(uint32_t index, ChainBuilder& chain) {
  chain.OfferIndirect(*queues[index]);
  const auto used = Run(index);
  return used.size() == 1 ? int64_t{used[0].len} : -1;
}

uint64_t DeviceFixture::CreateSession(std::span<const uint8_t> key, uint32_t direction,
                                      uint32_t algo) {
  ChainBuilder chain(guest);
  const CreateCipher request{
      .algo = algo, .key_len = static_cast<uint32_t>(key.size()), .direction = direction};
  chain.Readable(request.Bytes()).Readable(key).Writable(sizeof(wire::virtio_crypto_session_input));
  if (Send(device->control_index(), chain) != sizeof(wire::virtio_crypto_session_input)) return 0;
  wire::virtio_crypto_session_input input;
  std::memcpy(&input, chain.written().data(), sizeof input);
  return input.status.get() == wire::VIRTIO_CRYPTO_OK ? input.session_id.get() : 0;
}

}  // namespace sealane::testing
