// SPDX-License-Identifier: Apache-2.0
//
// The control queue of a running device (virtio 1.3, 5.9.7.2): one test per rule, and the queue
// goes on after each.
#include "sealane/device/control_request.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/device_fixture.h"

namespace sealane::device {
namespace {

using testing::ChainBuilder;
using testing::CreateCipher;
using testing::DestroySession;

constexpr uint32_t kResultLen = sizeof(wire::virtio_crypto_session_input);
const std::vector<uint8_t> kKey(16, 0x2b);

class ControlQueue : public ::testing::Test {
 protected:
  // The status of a create request with this key behind it.
  uint32_t Create(const CreateCipher& request, std::span<const uint8_t> key) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(request.Bytes()).Readable(key).Writable(kResultLen);
    EXPECT_EQ(fixture.Send(control, chain), kResultLen);
    wire::virtio_crypto_session_input input;
    std::memcpy(&input, chain.written().data(), sizeof input);
    return input.status.get();
  }
  uint32_t Destroy(uint64_t id) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(DestroySession{.session_id = id}.Bytes()).Writable(1);
    EXPECT_EQ(fixture.Send(control, chain), 1);
    return chain.written()[0];
  }
  void TearDown() override {
    EXPECT_NE(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U) << "queue is dead";
  }

  testing::DeviceFixture fixture;
  uint32_t control = fixture.device->control_index();
};

TEST_F(ControlQueue, CreateAndDestroy_Work_DestroyTwiceIsAnError) {
  const uint64_t id = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_DECRYPT);
  ASSERT_NE(id, 0U);
  EXPECT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_OK);
  EXPECT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(Destroy(0), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(Destroy(uint64_t{1} << 63), wire::VIRTIO_CRYPTO_ERR);
}

TEST_F(ControlQueue, EveryCipherAndKeyLength_OnlyTheRightOnesPass) {
  const std::vector<uint8_t> key = [] {
    std::vector<uint8_t> bytes(64);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
    return bytes;
  }();
  for (const size_t len : {0U, 8U, 16U, 24U, 32U, 48U, 64U}) {
    const auto status = [&](uint32_t algo) {
      return Create({.algo = algo, .key_len = static_cast<uint32_t>(len)},
                    std::span(key).first(len));
    };
    const bool aes = len == 16 || len == 24 || len == 32;
    EXPECT_EQ(status(wire::VIRTIO_CRYPTO_CIPHER_AES_CBC) == wire::VIRTIO_CRYPTO_OK, aes) << len;
    EXPECT_EQ(status(wire::VIRTIO_CRYPTO_CIPHER_AES_XTS) == wire::VIRTIO_CRYPTO_OK,
              len == 32 || len == 64);
    EXPECT_EQ(status(wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR) == wire::VIRTIO_CRYPTO_OK, len == 24);
  }
}

TEST_F(ControlQueue, KeyLengthBeyondTheChainOrTheMaximum_IsAnError) {
  EXPECT_EQ(Create({.key_len = 17}, kKey), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(Create({.key_len = 65}, std::vector<uint8_t>(65)), wire::VIRTIO_CRYPTO_ERR);
  EXPECT_EQ(Create({.key_len = 0xffffffff}, kKey), wire::VIRTIO_CRYPTO_ERR);
}

TEST_F(ControlQueue, UnknownAlgorithmsAndDirections_AreRefused) {
  for (const uint32_t algo : {0U, 1U, 5U, 6U, 10U, 11U, 12U, 14U, 15U, 0xffffffffU}) {
    EXPECT_EQ(Create({.algo = algo}, kKey), wire::VIRTIO_CRYPTO_NOTSUPP) << algo;
  }
  for (const uint32_t op_type : {0U, 3U, 0xffffffffU}) {
    EXPECT_EQ(Create({.op_type = op_type}, kKey), wire::VIRTIO_CRYPTO_NOTSUPP) << op_type;
  }
  for (const uint32_t direction : {0U, 3U, 0xffffffffU}) {
    EXPECT_EQ(Create({.direction = direction}, kKey), wire::VIRTIO_CRYPTO_ERR) << direction;
  }
}

TEST_F(ControlQueue, XtsWithEqualHalves_IsRefused) {
  EXPECT_EQ(Create({.algo = wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, .key_len = 32},
                   std::vector<uint8_t>(32, 7)),
            wire::VIRTIO_CRYPTO_ERR);
}

TEST_F(ControlQueue, OpcodesThatDoNotExist_AreNotSupported) {
  const std::set<uint32_t> known = {0x002, 0x003, 0x102, 0x103, 0x202,
                                    0x203, 0x302, 0x303, 0x404, 0x405};
  for (uint32_t opcode = 0; opcode < 0x600; ++opcode) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(DestroySession{.opcode = opcode}.Bytes()).Writable(1);
    EXPECT_EQ(fixture.Send(control, chain), 1);
    // Those that exist lack room for a result, or a session.
    EXPECT_EQ(chain.written()[0],
              known.contains(opcode) ? wire::VIRTIO_CRYPTO_ERR : wire::VIRTIO_CRYPTO_NOTSUPP)
        << opcode;
  }
}

TEST_F(ControlQueue, TruncatedAtEachByte_IsAnErrorAndMakesNoSession) {
  std::vector<uint8_t> whole = CreateCipher{}.Bytes();
  whole.insert(whole.end(), kKey.begin(), kKey.end());
  for (size_t len = 1; len < whole.size(); ++len) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(std::span(whole).first(len)).Writable(kResultLen);
    EXPECT_GT(fixture.Send(control, chain), 0) << len;
  }
  EXPECT_EQ(fixture.device->num_sessions(), 0U);
}

TEST_F(ControlQueue, RoomForTheResultTooShort_ErrorInItsLastByteAndNoSession) {
  for (uint32_t room = 0; room < kResultLen; ++room) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(CreateCipher{}.Bytes()).Readable(kKey);
    if (room != 0) chain.Writable(room);
    EXPECT_EQ(fixture.Send(control, chain), room == 0 ? 0 : 1);
    if (room == 0) continue;
    EXPECT_EQ(chain.written().back(), wire::VIRTIO_CRYPTO_ERR);
  }
  EXPECT_EQ(fixture.device->num_sessions(), 0U);
}

TEST(ControlQueueLimit, MoreSessionsThanAllowed_IsNoSpace) {
  testing::DeviceFixture fixture({.max_sessions = 2});
  EXPECT_NE(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U);
  EXPECT_NE(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U);
  EXPECT_EQ(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U);
}

}  // namespace
}  // namespace sealane::device
