// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/crypto_driver.h"

#include <gtest/gtest.h>

#include <array>

#include "sealane/driver/fake_device.h"

namespace sealane::driver {
namespace {

constexpr std::array<uint8_t, 16> kKey{};
constexpr CipherSessionParams kParams{3, Operation::kEncrypt, kKey};

std::unique_ptr<FakeDevice> HonestDevice(const FakeDevice::Setup& setup) {
  auto device = std::make_unique<FakeDevice>(setup);
  device->SetScript([](FakeDevice& fake, uint16_t index) {
    if (index == fake.control_index()) {
      fake.ServeControl();
    } else {
      fake.ServeData(index);
    }
  });
  return device;
}

TEST(CryptoDriver, Create_AllQueues_StartedAndStopped) {
  auto owned = HonestDevice({.max_data_queues = 3});
  FakeDevice& device = *owned;
  std::array<bool, 4> stopped{};
  device.SetOnStop([&](FakeDevice&, uint16_t index) { stopped[index] = true; });
  auto driver = CryptoDriver::Create(std::move(owned), {.num_data_queues = 0}).value();
  EXPECT_EQ(driver->num_channels(), 3U);
  for (uint16_t i = 0; i <= 3; ++i) EXPECT_TRUE(device.running(i)) << i;
  driver.reset();
  EXPECT_EQ(stopped, (std::array{true, true, true, true}));
}

TEST(CryptoDriver, Create_MoreQueuesThanTheDevice_Refused) {
  const auto driver = CryptoDriver::Create(HonestDevice({}), {.num_data_queues = 2});
  ASSERT_FALSE(driver.has_value());
  EXPECT_EQ(driver.error().code, ErrorCode::kInvalid);
}

TEST(CryptoDriver, Create_MemoryTooSmall_NoSpace) {
  const auto driver = CryptoDriver::Create(HonestDevice({.memory_size = 1 << 20}), {});
  ASSERT_FALSE(driver.has_value());
  EXPECT_EQ(driver.error().code, ErrorCode::kNoSpace);
}

TEST(CryptoDriver, Session_CreateUseClose_Works) {
  auto driver = CryptoDriver::Create(HonestDevice({}), {}).value();
  const auto session = driver->CreateSession(kParams);
  ASSERT_TRUE(session.has_value());
  std::array<uint8_t, 16> text{1};
  Request request{.session = *session, .iv = kKey, .src = text, .dst = text};
  EXPECT_EQ(driver->channel(0).Call(request, std::chrono::seconds(20)), Status::kOk);
  EXPECT_EQ(text[0], 0xfe);
  EXPECT_TRUE(driver->CloseSession(*session).has_value());
}

TEST(CryptoDriver, Callback_ClosesSession_NoDeadlock) {
  static CryptoDriver* driver_of_callback = nullptr;
  auto driver = CryptoDriver::Create(HonestDevice({}), {}).value();
  driver_of_callback = driver.get();
  const auto session = driver->CreateSession(kParams).value();
  std::array<uint8_t, 16> text{};
  Request request{.session = session, .iv = kKey, .src = text, .dst = text};
  request.on_done = [](Request& done) {
    EXPECT_TRUE(driver_of_callback->CloseSession(done.session).has_value());
    EXPECT_TRUE(driver_of_callback->CreateSession(kParams).has_value());
  };
  Request* const submitted = &request;
  ASSERT_EQ(driver->channel(0).Submit({&submitted, 1}), 1U);
  EXPECT_EQ(driver->channel(0).Dispatch(1), 1U);
}

TEST(ParseConfig, NotReadyOrNoQueues_Refused) {
  wire::virtio_crypto_config config{};
  config.max_dataqueues.set(1);
  EXPECT_FALSE(ParseConfig(config).has_value());
  config.status.set(wire::VIRTIO_CRYPTO_S_HW_READY);
  EXPECT_TRUE(ParseConfig(config).has_value());
  for (const uint32_t queues : {0U, kMaxDataQueues + 1, 0xffffffffU}) {
    config.max_dataqueues.set(queues);
    EXPECT_FALSE(ParseConfig(config).has_value()) << queues;
  }
}

TEST(ParseConfig, Algorithms_BothHalvesJoined) {
  wire::virtio_crypto_config config{};
  config.status.set(wire::VIRTIO_CRYPTO_S_HW_READY);
  config.max_dataqueues.set(2);
  config.crypto_services.set(1);
  config.cipher_algo_l.set(1U << 3);
  config.cipher_algo_h.set(1U << 1);
  const DeviceConfig parsed = ParseConfig(config).value();
  EXPECT_TRUE(parsed.Offers(0));
  EXPECT_FALSE(parsed.Offers(1));
  EXPECT_TRUE(parsed.OffersCipher(3));
  EXPECT_TRUE(parsed.OffersCipher(33));
  EXPECT_FALSE(parsed.OffersCipher(4));
  EXPECT_FALSE(parsed.OffersCipher(64));
}

}  // namespace
}  // namespace sealane::driver
