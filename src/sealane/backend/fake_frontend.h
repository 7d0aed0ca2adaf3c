// SPDX-License-Identifier: Apache-2.0
//
// FakeFrontend: a back-end over a device with two data queues for the tests of this folder, and a
// front-end with one ring that it can set up as any of them. One thread besides the device's own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "sealane/backend/crypto_backend.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/fake_driver_queue.h"
#include "sealane/vhost_user/crypto_session.h"

namespace sealane::backend {

inline constexpr uint64_t kQemuFeatures = 0x40000000;
inline constexpr uint64_t kQemuProtocol = 0x89;  // MQ, REPLY_ACK, CRYPTO_SESSION
inline constexpr uint8_t kUntouched = 0xee;  // what ChainBuilder puts where the device shall write
inline constexpr uint64_t kDeviceProtocol = 0x209;  // MQ, REPLY_ACK, CONFIG

inline uint64_t U64(const Result<vhost_user::Reply>& reply) {
  uint64_t value = 0;
  EXPECT_EQ(reply->payload.size(), sizeof value);
  std::memcpy(&value, reply->payload.data(), sizeof value);
  return value;
}

class FakeFrontend : public ::testing::Test {
 protected:
  void SetUp() override {
    engine = std::move(*crypto::OpenSslEngine::Create());
    device = std::move(*device::CryptoDevice::Create(*engine, {.num_data_queues = 2}));
    Connect();
  }
  void Connect(std::optional<Mode> forced = std::nullopt) {
    backend.reset();
    backend = std::make_unique<CryptoBackend>(*device, forced);
  }
  bool Does(const vhost_user::Request& request) { return backend->Handle(request, {}).has_value(); }
  bool DoesWithFd(const vhost_user::Request& request, UniqueFd fd) {
    std::vector<UniqueFd> fds;
    fds.push_back(std::move(fd));
    return backend->Handle(request, std::move(fds)).has_value();
  }
  // The fixture's regions as a front-end would hand them over.
  bool ShareMemory() {
    vhost_user::request::SetMemTable table;
    std::vector<UniqueFd> fds;
    for (size_t i = 0; i < guest.memory()->regions().size(); ++i) {
      const auto& region = guest.memory()->regions()[i];
      table.regions.push_back({.guest_phys_addr = Raw(region.guest_addr),
                               .memory_size = region.size(),
                               .userspace_addr = Raw(region.frontend_addr),
                               .mmap_offset = 0});
      fds.emplace_back(::fcntl(guest.fd(i), F_DUPFD_CLOEXEC, 0));
    }
    return backend->Handle(table, std::move(fds)).has_value();
  }
  bool SetUpRing(uint32_t index) {
    const auto at = std::get<1>(queue.frontend_location());
    return Does(vhost_user::request::SetVringNum{index, queue.size()}) &&
           Does(vhost_user::request::SetVringBase{index, queue.next_avail()}) &&
           Does(vhost_user::request::SetVringAddr{
               .index = index, .flags = 0, .desc = at.desc, .used = at.used, .avail = at.avail}) &&
           DoesWithFd(vhost_user::request::SetVringKick{index, true},
                      UniqueFd(kick.Duplicate()->release())) &&
           DoesWithFd(vhost_user::request::SetVringCall{index, true},
                      UniqueFd(call.Duplicate()->release()));
  }
  int64_t CreateSession(vhost_user::CryptoLayout layout, const std::vector<uint8_t>& key) {
    vhost_user::CryptoSessionDescription description;
    description.layout = layout;
    description.op_code = wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION;
    auto& symmetric = description.session.emplace<vhost_user::SymmetricSession>();
    symmetric.cipher_alg = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC;
    symmetric.op_type = wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;
    symmetric.direction = wire::VIRTIO_CRYPTO_OP_ENCRYPT;
    symmetric.key = SecretBytes(std::span<const uint8_t>(key));
    auto payload = vhost_user::EncodeCryptoSession(description);
    EXPECT_TRUE(payload.has_value());
    const auto reply =
        backend->Handle(vhost_user::request::CreateCryptoSession{std::move(*payload)}, {});
    return vhost_user::DecodeCryptoSessionReply(layout, reply->payload).value();
  }
  // Whether a request of this session is served within the time.
  bool IsServed(uint64_t session, std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    testing::ChainBuilder chain(guest);
    chain.Readable(testing::CipherRequest{.session_id = session}.Bytes())
        .Readable(std::vector<uint8_t>(16))
        .Writable(1);
    chain.OfferIndirect(queue);
    queue.Publish();
    kick.Signal();
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      // Entries of requests that were given up before may come first.
      if (!queue.TakeUsed().empty() && chain.written()[0] != kUntouched) {
        return chain.written()[0] == wire::VIRTIO_CRYPTO_OK;
      }
      std::this_thread::yield();
    }
    return false;
  }
  // As QEMU 7.2 and 10 do it (no ENABLE, features say nothing).
  void ConnectLikeQemu() {
    Connect();
    EXPECT_TRUE(Does(vhost_user::request::SetProtocolFeatures{kQemuProtocol}));
    EXPECT_TRUE(Does(vhost_user::request::SetOwner{}));
    EXPECT_TRUE(Does(vhost_user::request::SetFeatures{kQemuFeatures}));
    EXPECT_TRUE(ShareMemory());
    EXPECT_TRUE(SetUpRing(0));
  }

  testing::GuestFixture guest;
  testing::FakeDriverQueue queue{guest, 64};
  EventFd kick = EventFd::Create().value();
  EventFd call = EventFd::Create().value();
  std::unique_ptr<crypto::Engine> engine;
  std::unique_ptr<device::CryptoDevice> device;
  std::unique_ptr<CryptoBackend> backend;
};

}  // namespace sealane::backend
