// SPDX-License-Identifier: Apache-2.0
//
// The back-end by its requests, without a socket: mode, features, when rings run, memory, sessions
// by message, and the order of messages that QEMU was seen to send.
#include "sealane/backend/crypto_backend.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sealane/backend/fake_frontend.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::backend {
namespace {

using vhost_user::CryptoLayout;
namespace request = vhost_user::request;

using Backend = FakeFrontend;

TEST(Mode, CryptodevOnlyIfSessionsByMessageAndNoConfig) {
  constexpr uint64_t kSession = 1U << 7;
  constexpr uint64_t kConfig = 1U << 9;
  EXPECT_EQ(SelectMode(kSession, std::nullopt), Mode::kCryptodev);
  EXPECT_EQ(SelectMode(kSession | kConfig, std::nullopt), Mode::kDevice);
  EXPECT_EQ(SelectMode(kConfig, std::nullopt), Mode::kDevice);
  EXPECT_EQ(SelectMode(0, std::nullopt), Mode::kDevice);
  EXPECT_EQ(SelectMode(kSession, Mode::kDevice), Mode::kDevice);
  EXPECT_EQ(SelectMode(kConfig, Mode::kCryptodev), Mode::kCryptodev);
}

TEST_F(Backend, QueueNum_CountsTheControlQueueInDeviceMode) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_EQ(U64(backend->Handle(request::GetQueueNum{}, {})), 2U);
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kDeviceProtocol}));
  EXPECT_EQ(U64(backend->Handle(request::GetQueueNum{}, {})), 3U);
}

TEST_F(Backend, Qemu_RingRunsFromItsKickOn_120RequestsServed) {
  ConnectLikeQemu();
  const int64_t session = CreateSession(CryptoLayout::kL2, std::vector<uint8_t>(16, 3));
  ASSERT_GT(session, 0);
  for (int i = 0; i < 120; ++i) ASSERT_TRUE(IsServed(static_cast<uint64_t>(session))) << i;
  EXPECT_EQ(device->stats(0).requests, 120U);
}

TEST_F(Backend, Qemu_ThreeLayouts_MakeTheSameSession) {
  ConnectLikeQemu();
  for (const CryptoLayout layout : {CryptoLayout::kL1, CryptoLayout::kL2, CryptoLayout::kL3}) {
    const int64_t session = CreateSession(layout, std::vector<uint8_t>(32, 3));
    ASSERT_GT(session, 0);
    EXPECT_TRUE(IsServed(static_cast<uint64_t>(session)));
    EXPECT_TRUE(Does(request::CloseCryptoSession{static_cast<uint64_t>(session)}));
    EXPECT_FALSE(IsServed(static_cast<uint64_t>(session)));
  }
  EXPECT_EQ(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(17, 3)),
            -int64_t{wire::VIRTIO_CRYPTO_ERR});
}

TEST_F(Backend, Qemu_StopAndStartAgain_GoesOn) {
  ConnectLikeQemu();
  const auto session =
      static_cast<uint64_t>(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3)));
  EXPECT_TRUE(IsServed(session));
  const auto base = backend->Handle(request::GetVringBase{0}, {});
  ASSERT_TRUE(base.has_value());
  wire::vhost_vring_state state{};
  std::memcpy(&state, base->payload.data(), sizeof state);
  EXPECT_EQ(state.num, 1U);
  EXPECT_FALSE(IsServed(session, std::chrono::milliseconds(50)));
  EXPECT_TRUE(Does(request::SetVringBase{0, 1}));
  EXPECT_TRUE(DoesWithFd(request::SetVringKick{0, true}, UniqueFd(kick.Duplicate()->release())));
  EXPECT_TRUE(IsServed(session));
}

TEST_F(Backend, Qemu_ExplicitDisable_StopsTheRing) {
  ConnectLikeQemu();
  const auto session =
      static_cast<uint64_t>(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3)));
  EXPECT_TRUE(Does(request::SetVringEnable{0, false}));
  EXPECT_FALSE(IsServed(session, std::chrono::milliseconds(50)));
  EXPECT_TRUE(Does(request::SetVringEnable{0, true}));
  EXPECT_TRUE(IsServed(session));
}

TEST_F(Backend, Disconnect_NextFrontEndFindsACleanDevice) {
  ConnectLikeQemu();
  const auto session =
      static_cast<uint64_t>(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3)));
  EXPECT_TRUE(IsServed(session));
  ConnectLikeQemu();
  EXPECT_EQ(device->num_sessions(), 0U);
  EXPECT_FALSE(IsServed(session)) << "the session of the old connection";
}

TEST_F(Backend, Features_UnofferedOnesAreRefusedInDeviceModeAndIgnoredForCryptodev) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kDeviceProtocol}));
  EXPECT_FALSE(Does(request::SetFeatures{wire::FeatureMask(wire::VIRTIO_F_RING_PACKED)}));
  EXPECT_TRUE(Does(request::SetFeatures{backend->OfferedFeatures()}));
  EXPECT_FALSE(Does(request::SetProtocolFeatures{uint64_t{1} << 40}));
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(Does(request::SetFeatures{0xdeadbeefcafef00d}));
}

TEST_F(Backend, DeviceMode_RingWaitsForEnable_SessionsNotByMessage) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kDeviceProtocol}));
  EXPECT_TRUE(Does(request::SetFeatures{kQemuFeatures}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(SetUpRing(1));
  EXPECT_FALSE(device->running(1));
  EXPECT_TRUE(Does(request::SetVringEnable{1, true}));
  EXPECT_TRUE(device->running(1));
  EXPECT_FALSE(Does(request::CreateCryptoSession{SecretBytes(1072)}));
  EXPECT_FALSE(Does(request::CloseCryptoSession{1}));
}

TEST_F(Backend, Config_OnlyInsideItsBounds) {
  EXPECT_EQ(backend->Handle(request::GetConfig{.offset = 0, .size = 56}, {})->payload.size(),
            12U + 56);
  EXPECT_TRUE(Does(request::GetConfig{.offset = 48, .size = 8}));
  EXPECT_FALSE(Does(request::GetConfig{.offset = 48, .size = 9}));
  EXPECT_FALSE(Does(request::GetConfig{.offset = 0xffffffff, .size = 8}));
  EXPECT_FALSE(Does(request::SetConfig{}));
}

TEST_F(Backend, BadRingSetups_AreRefused) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_FALSE(Does(request::SetVringNum{2, 64})) << "no such ring in this mode";
  EXPECT_FALSE(Does(request::SetVringNum{0, 3}));
  EXPECT_FALSE(Does(request::SetVringNum{0, 65536}));
  EXPECT_FALSE(Does(request::SetVringBase{0, 0x80008000})) << "a packed ring";
  EXPECT_FALSE(Does(request::SetVringKick{0, false}));
  EXPECT_FALSE(Does(request::Unknown{99}));
}

TEST_F(Backend, KickThatIsNoDoorbell_IsRefusedOrHarmless) {
  EXPECT_TRUE(Does(request::SetProtocolFeatures{kQemuProtocol}));
  EXPECT_TRUE(ShareMemory());
  EXPECT_TRUE(SetUpRing(0));
  EXPECT_FALSE(DoesWithFd(request::SetVringKick{0, true}, UniqueFd(::memfd_create("kick", 0))));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[1]);  // the reading end is at its end for ever
  EXPECT_TRUE(DoesWithFd(request::SetVringKick{0, true}, UniqueFd(ends[0])));
  EXPECT_TRUE(Does(request::GetVringBase{0}));
}

TEST_F(Backend, Memory_BadRegionsLeaveTheTableAsItWas) {
  ConnectLikeQemu();
  const auto session =
      static_cast<uint64_t>(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3)));
  const auto& first = guest.memory()->regions()[0];
  UniqueFd file(::memfd_create("region", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(file.get(), 4096), 0);
  const auto add = [&](uint64_t guest_addr, uint64_t size) {
    return DoesWithFd(request::AddMemReg{{.guest_phys_addr = guest_addr,
                                          .memory_size = size,
                                          .userspace_addr = 0x1000,
                                          .mmap_offset = 0}},
                      UniqueFd(::dup(file.get())));
  };
  EXPECT_FALSE(add(Raw(first.guest_addr), 4096)) << "overlaps";
  EXPECT_FALSE(add(0, 8192)) << "larger than its file";
  EXPECT_FALSE(add(~uint64_t{0} - 100, 4096)) << "wraps around";
  EXPECT_TRUE(add(0, 4096));
  EXPECT_FALSE(Does(request::RemMemReg{
      {.guest_phys_addr = 0, .memory_size = 4095, .userspace_addr = 0x1000, .mmap_offset = 0}}));
  EXPECT_TRUE(Does(request::RemMemReg{
      {.guest_phys_addr = 0, .memory_size = 4096, .userspace_addr = 0x1000, .mmap_offset = 0}}));
  EXPECT_TRUE(IsServed(session));
}

TEST_F(Backend, Reset_ClosesSessionsAndStopsRings) {
  ConnectLikeQemu();
  EXPECT_GT(CreateSession(CryptoLayout::kL3, std::vector<uint8_t>(16, 3)), 0);
  EXPECT_TRUE(Does(request::SetStatus{15}));
  EXPECT_EQ(U64(backend->Handle(request::GetStatus{}, {})), 15U);
  EXPECT_TRUE(Does(request::ResetDevice{}));
  EXPECT_EQ(device->num_sessions(), 0U);
  EXPECT_FALSE(device->running(0));
  EXPECT_EQ(U64(backend->Handle(request::GetStatus{}, {})), 0U);
}

}  // namespace
}  // namespace sealane::backend
