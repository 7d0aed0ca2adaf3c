// SPDX-License-Identifier: Apache-2.0
//
// A real sealaned and the conversations of real front-ends: QEMU 7.2
// with layout L2 and QEMU 10 with L3 as captured, and L1 as DPDK's and old QEMU's headers lay it
// out.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "daemon_program.h"
#include "qemu_frontend.h"
#include "sealane/testing/daemon_process.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::faults {
namespace {

using Clock = std::chrono::steady_clock;
using testing::DaemonProcess;

constexpr std::array<Layout, 3> kLayouts = {Layout::kL1, Layout::kL2, Layout::kL3};

struct Conversation {
  const char* name;
  Layout layout;
  bool all_bits;
};

// `count` requests; whether all of them were served right.
bool Serves(QemuFrontend& qemu, uint64_t session, int count) {
  for (int i = 0; i < count; ++i) {
    bool right = false;
    if (qemu.Request(session, right) != wire::VIRTIO_CRYPTO_OK || !right) return false;
  }
  return true;
}

class Conversations : public ::testing::TestWithParam<Conversation> {
 protected:
  // It does not poll, so that a kick that it failed to ask for is missed.
  DaemonProcess daemon{g_program, {"--poll-us=0"}};
};

// No ENABLE, no features, no DRIVER_OK, EVENT_IDX unseen.
TEST_P(Conversations, Fault39To42_NothingEnabled_120RequestsServed) {
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  QemuFrontend qemu(daemon.socket_path(), GetParam().all_bits);
  qemu.Connect();
  qemu.DriverOk();
  // Linux makes two sessions for each key.
  const int64_t first = qemu.CreateSession(GetParam().layout);
  const int64_t second = qemu.CreateSession(GetParam().layout);
  ASSERT_GE(first, 0);
  ASSERT_GE(second, 0);
  ASSERT_NE(first, second);
  EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(first), 60));
  EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(second), 60));
  qemu.CloseSession(static_cast<uint64_t>(first));
  EXPECT_EQ(qemu.Stop(), 120U);
}

// rmmod and insmod in the guest: no new handshake, the ring from its beginning.
TEST_P(Conversations, Fault39To42_DriverComesBack_IsServedAgain) {
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  QemuFrontend qemu(daemon.socket_path(), false);
  qemu.Connect();
  qemu.DriverOk();
  for (uint32_t round = 1; round <= 3; ++round) {
    const int64_t session = qemu.CreateSession(GetParam().layout);
    ASSERT_GE(session, 0);
    EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(session), 10));
    qemu.CloseSession(static_cast<uint64_t>(session));
    EXPECT_EQ(qemu.Stop(), 10 * round);
    qemu.DriverOk();
  }
}

TEST_P(Conversations, Fault39To42_FrontEndComesBack_AtOnceAndToACleanDevice) {
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  int64_t old_session = 0;
  {
    QemuFrontend qemu(daemon.socket_path(), GetParam().all_bits);
    qemu.Connect();
    qemu.DriverOk();
    old_session = qemu.CreateSession(GetParam().layout);
    ASSERT_GE(old_session, 0);
    EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(old_session), 5));
  }
  const auto start = Clock::now();
  QemuFrontend qemu(daemon.socket_path(), GetParam().all_bits);
  qemu.Connect();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(1));
  qemu.DriverOk();
  bool right = false;
  EXPECT_EQ(qemu.Request(static_cast<uint64_t>(old_session), right), wire::VIRTIO_CRYPTO_INVSESS);
  const int64_t session = qemu.CreateSession(GetParam().layout);
  EXPECT_NE(session, old_session);
  EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(session), 5));
}

INSTANTIATE_TEST_SUITE_P(Captured, Conversations,
                         ::testing::Values(Conversation{"L1", Layout::kL1, false},
                                           Conversation{"L2", Layout::kL2, false},
                                           Conversation{"L2AllBits", Layout::kL2, true},
                                           Conversation{"L3", Layout::kL3, false},
                                           Conversation{"L3AllBits", Layout::kL3, true}),
                         [](const auto& test) { return std::string(test.param.name); });

class QemuFaults : public ::testing::Test {
 protected:
  QemuFaults() {
    qemu.Connect();
    qemu.DriverOk();
  }
  void TearDown() override {
    const int64_t session = qemu.CreateSession(Layout::kL3);
    ASSERT_GE(session, 0);
    EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(session), 1)) << "the link is down";
  }

  DaemonProcess daemon{g_program, {}};
  QemuFrontend qemu{daemon.socket_path(), false};
};

TEST_F(QemuFaults, Fault01_KeyLengths_InEachLayout_AreRefusedAndTheLinkStaysUp) {
  for (const Layout layout : kLayouts) {
    for (const uint32_t len : {0U, 17U, 65U, 513U, 0x7fffffffU, 0xffffffffU}) {
      auto payload = SessionPayload(layout);
      std::memcpy(&payload[KeyLenOffset(layout)], &len, sizeof len);
      EXPECT_LT(qemu.CreateSession(payload, IdOffset(layout)), 0) << len;
    }
    for (const uint32_t auth_len : {513U, 0xffffffffU}) {
      auto payload = SessionPayload(layout);
      std::memcpy(&payload[KeyLenOffset(layout) + 12], &auth_len, sizeof auth_len);
      EXPECT_LT(qemu.CreateSession(payload, IdOffset(layout)), 0) << auth_len;
    }
  }
}

TEST_F(QemuFaults, Fault08_RsaSession_IsRefused) {
  auto payload = SessionPayload(Layout::kL3);
  const std::array<uint32_t, 5> rsa = {0x404, 0, 1, 2, 0xffffffff};  // op_code, algo, type, length
  std::memcpy(payload.data(), rsa.data(), sizeof rsa);
  EXPECT_LT(qemu.CreateSession(payload, IdOffset(Layout::kL3)), 0);
}

TEST_F(QemuFaults, Fault11_CloseUnknown_IsIgnoredAndTheLinkStaysUp) {
  const auto session = static_cast<uint64_t>(qemu.CreateSession(Layout::kL2));
  for (const uint64_t id : {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}, session, session}) {
    qemu.CloseSession(id);
    EXPECT_TRUE(qemu.IsAlive()) << id;
  }
}

TEST_F(QemuFaults, Fault15_ClosedSession_IsInvalid) {
  const auto session = static_cast<uint64_t>(qemu.CreateSession(Layout::kL3));
  EXPECT_TRUE(Serves(qemu, session, 1));
  qemu.CloseSession(session);
  EXPECT_TRUE(qemu.IsAlive());  // and so the message before it was carried out
  bool right = false;
  EXPECT_EQ(qemu.Request(session, right), wire::VIRTIO_CRYPTO_INVSESS);
}

TEST_F(QemuFaults, Fault38_RandomFeatures_RingServes) {
  uint64_t bits = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 16; ++i) {
    bits ^= bits << 13;
    bits ^= bits >> 7;
    bits ^= bits << 17;
    qemu.Stop();
    qemu.DriverOk(bits);
    const int64_t session = qemu.CreateSession(Layout::kL3);
    ASSERT_GE(session, 0);
    EXPECT_TRUE(Serves(qemu, static_cast<uint64_t>(session), 3)) << std::hex << bits;
  }
}

TEST_F(QemuFaults, Fault43_UnknownLayouts_AreRefusedAndTheLinkStaysUp) {
  for (const size_t size : {8U, 100U, 624U, 631U, 633U, 1064U, 1071U, 1073U, 2000U}) {
    std::vector<uint8_t> payload = SessionPayload(Layout::kL3);
    payload.resize(size);
    EXPECT_LT(qemu.CreateSession(payload, 0), 0) << size;
    EXPECT_TRUE(qemu.IsAlive()) << size;
  }
}

}  // namespace
}  // namespace sealane::faults
