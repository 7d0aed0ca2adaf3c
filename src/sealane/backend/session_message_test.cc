// SPDX-License-Identifier: Apache-2.0
//
// Sessions by message. The payloads are put together byte by byte as QEMU 7.2 (L2) and 10.0 (L3)
// were seen to send them and as DPDK 24.11's header lays L1 out, not by our own encoder.
#include "sealane/backend/session_message.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "sealane/crypto/openssl/openssl_engine.h"

namespace sealane::backend {
namespace {

using Payload = std::vector<uint8_t>;

constexpr size_t kKeyAt = 56;

void Put32(Payload& payload, size_t at, uint32_t value) {
  std::memcpy(&payload[at], &value, sizeof value);
}

// The 2b7e1516… key, AES-CBC, encrypt; the two pointers are garbage as in the capture.
Payload Common(size_t size) {
  Payload payload(size);
  constexpr std::array<uint8_t, 16> kKey = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                            0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  std::memcpy(&payload[kKeyAt], kKey.data(), kKey.size());
  std::memset(&payload[40], 0x55, 16);
  return payload;
}
Payload L1() {
  Payload payload = Common(632);
  Put32(payload, 8, 2);
  Put32(payload, 12, 3);
  Put32(payload, 16, 16);
  payload[36] = 1;
  payload[37] = 1;
  return payload;
}
void PutSymmetric(Payload& payload) {
  Put32(payload, 8, 3);
  Put32(payload, 12, 16);
  payload[32] = 1;
  payload[33] = 1;
}
Payload L2() {
  Payload payload = Common(632);
  PutSymmetric(payload);
  return payload;
}
Payload L3() {
  Payload payload = Common(1072);
  payload[0] = 2;
  PutSymmetric(payload);
  std::memset(&payload[632], 0x77, 432);  // the rest of the union is not always zero
  return payload;
}

class SessionMessage : public ::testing::Test {
 protected:
  int64_t Create(const Payload& payload) { return CreateSessionFromMessage(*device, payload); }

  std::unique_ptr<crypto::Engine> engine = std::move(*crypto::OpenSslEngine::Create());
  std::unique_ptr<device::CryptoDevice> device =
      std::move(*device::CryptoDevice::Create(*engine, {.max_sessions = 8}));
};

TEST_F(SessionMessage, ThreeLayouts_MakeSessions) {
  for (const Payload& payload : {L1(), L2(), L3()}) EXPECT_GT(Create(payload), 0);
  EXPECT_EQ(device->num_sessions(), 3U);
}

// The only overlap of L1 and L2: in L2, algorithm 2 is AES-ECB and a key length follows it.
TEST_F(SessionMessage, L2WithAesEcb_IsNotTakenForL1) {
  Payload payload = L2();
  Put32(payload, 8, 2);
  for (const uint32_t key_len : {16U, 24U, 32U}) {
    Put32(payload, 12, key_len);
    EXPECT_GT(Create(payload), 0) << key_len;
  }
  Put32(payload, 12, 17);
  EXPECT_EQ(Create(payload), -1);
}

TEST_F(SessionMessage, UnknownSizes_AreErrors) {
  for (const size_t size : {0U, 1U, 8U, 631U, 633U, 1071U, 1073U, 4096U}) {
    EXPECT_EQ(Create(Payload(size)), -1) << size;
  }
}

TEST_F(SessionMessage, KeyLengths_OnlyThoseOfTheCipher) {
  for (const uint32_t key_len : {0U, 1U, 15U, 17U, 33U, 64U, 65U, 512U, 0x7fffffffU, 0xffffffffU}) {
    Payload l1 = L1();
    Put32(l1, 16, key_len);
    EXPECT_EQ(Create(l1), -1) << key_len;
    Payload l2 = L2();
    Put32(l2, 12, key_len);
    EXPECT_EQ(Create(l2), -1) << key_len;
    Payload l3 = L3();
    Put32(l3, 12, key_len);
    EXPECT_EQ(Create(l3), -1) << key_len;
  }
  EXPECT_EQ(device->num_sessions(), 0U);
}

TEST_F(SessionMessage, AuthKeyLengths_BeyondTheirField_AreErrors) {
  for (const uint32_t auth_len : {513U, 0xffffffffU}) {
    Payload l1 = L1();
    Put32(l1, 28, auth_len);
    EXPECT_LT(Create(l1), 0);
    Payload l2 = L2();
    Put32(l2, 24, auth_len);
    EXPECT_LT(Create(l2), 0);
    Payload l3 = L3();
    Put32(l3, 24, auth_len);
    EXPECT_LT(Create(l3), 0);
  }
}

TEST_F(SessionMessage, OtherServicesKindsAndCiphers_AreNotSupported) {
  for (const uint32_t opcode : {0x102U, 0x202U, 0x302U, 0U, 3U}) {
    Payload payload = L3();
    Put32(payload, 0, opcode);
    EXPECT_EQ(Create(payload), -3) << opcode;
  }
  for (const uint8_t op_type : std::array<uint8_t, 3>{0, 3, 255}) {
    Payload payload = L2();
    payload[32] = op_type;
    EXPECT_EQ(Create(payload), -3) << unsigned{op_type};
  }
  for (const uint32_t algo : {1U, 5U, 6U, 10U, 11U, 12U, 14U, 0xffffffffU}) {
    Payload payload = L3();
    Put32(payload, 8, algo);
    EXPECT_EQ(Create(payload), -3) << algo;
  }
}

TEST_F(SessionMessage, Directions_OneAndTwo) {
  for (const uint8_t direction : std::array<uint8_t, 3>{0, 3, 255}) {
    Payload payload = L3();
    payload[33] = direction;
    EXPECT_EQ(Create(payload), -1) << unsigned{direction};
  }
  Payload payload = L3();
  payload[33] = 2;
  EXPECT_GT(Create(payload), 0);
}

TEST_F(SessionMessage, TooMany_IsNoSpace) {
  for (int i = 0; i < 8; ++i) EXPECT_GT(Create(L3()), 0);
  EXPECT_EQ(Create(L3()), -5);
}

}  // namespace
}  // namespace sealane::backend
