// SPDX-License-Identifier: Apache-2.0
//
// Faults of the control queue.
#include <cstring>

#include "fault_fixture.h"

namespace sealane::faults {
namespace {

using testing::ChainBuilder;
using testing::CreateCipher;
using testing::DestroySession;

constexpr uint32_t kResultLen = sizeof(wire::virtio_crypto_session_input);

class SessionFaults : public FaultTest {
 protected:
  // The status and id that a create request of these bytes gets.
  wire::virtio_crypto_session_input Create(std::span<const uint8_t> request) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(request).Readable(kKey).Writable(kResultLen);
    EXPECT_EQ(fixture.Send(control, chain), kResultLen);
    wire::virtio_crypto_session_input input;
    std::memcpy(&input, chain.written().data(), sizeof input);
    return input;
  }
  uint8_t Destroy(uint64_t id) {
    ChainBuilder chain(fixture.guest);
    chain.Readable(DestroySession{.session_id = id}.Bytes()).Writable(1);
    EXPECT_EQ(fixture.Send(control, chain), 1);
    return chain.written().back();
  }
};

TEST_F(SessionFaults, Fault01_KeyLengths_BeyondFieldOrChain_AreErrorsAndMakeNoSession) {
  const uint32_t before = fixture.device->num_sessions();
  for (const uint32_t key_len : {17U, 64U, 65U, 513U, 0x7fffffffU, 0xfffffff0U, 0xffffffffU}) {
    const auto input = Create(CreateCipher{.key_len = key_len}.Bytes());
    EXPECT_EQ(input.status.get(), wire::VIRTIO_CRYPTO_ERR) << key_len;
    EXPECT_EQ(input.session_id.get(), 0U);
  }
  EXPECT_EQ(fixture.device->num_sessions(), before);
}

TEST_F(SessionFaults, Fault11_DestroyUnknown_IsAnErrorByte) {
  for (const uint64_t id : {uint64_t{0}, uint64_t{1} << 63, ~uint64_t{0}, session + 1}) {
    EXPECT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_ERR) << id;
  }
  const uint64_t id = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  EXPECT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_OK);
  EXPECT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_ERR) << "twice";
}

TEST_F(SessionFaults, Fault12_EveryOpcode_OnlyThoseThatExistAreKnown) {
  const auto header = fixture.guest.Allocate(72, 8);
  const Bytes body = DestroySession{.session_id = 0}.Bytes();
  fixture.guest.Write(header, body);
  ChainBuilder chain(fixture.guest);
  chain.ReadableAt(header, 72).Writable(kResultLen);
  chain.OfferIndirect(*fixture.queues[control]);
  for (uint32_t opcode = 0; opcode <= 0xffff; ++opcode) {
    fixture.guest.Write(
        header, std::array{static_cast<uint8_t>(opcode), static_cast<uint8_t>(opcode >> 8)});
    if (opcode != 0) fixture.queues[control]->Offer(0);
    const auto used = fixture.Run(control);
    ASSERT_EQ(used.size(), 1U) << opcode;
    const uint32_t op = opcode & 0xff;
    const bool exists = opcode < 0x400 ? op == 2 || op == 3 : opcode == 0x404 || opcode == 0x405;
    if (exists) continue;
    ASSERT_EQ(used[0].len, 1U) << opcode;
    ASSERT_EQ(chain.written()[kResultLen - 1], wire::VIRTIO_CRYPTO_NOTSUPP) << opcode;
  }
  EXPECT_NE(fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT), 0U);
}

TEST_F(SessionFaults, Fault13_CutOffAtEachByte_IsAnErrorAndMakesNoSession) {
  Bytes whole = CreateCipher{}.Bytes();
  whole.insert(whole.end(), kKey.begin(), kKey.end());
  const uint32_t before = fixture.device->num_sessions();
  for (size_t len = 0; len < whole.size(); ++len) {
    ChainBuilder chain(fixture.guest);
    if (len != 0) chain.Readable(std::span(whole).first(len));
    chain.Writable(kResultLen);
    const int64_t used_len = fixture.Send(control, chain);
    ASSERT_TRUE(used_len == 1 || used_len == kResultLen) << len;
    ASSERT_EQ(chain.written()[used_len == 1 ? kResultLen - 1 : 8], wire::VIRTIO_CRYPTO_ERR);
    ChainBuilder nowhere(fixture.guest);
    nowhere.Readable(std::span(whole).first(len + 1));
    ASSERT_EQ(fixture.Send(control, nowhere), 0) << "no place for a status";
  }
  EXPECT_EQ(fixture.device->num_sessions(), before);
}

TEST_F(SessionFaults, Fault15_UsedAfterDestroy_IsInvalidAndItsIdNeverReturns) {
  testing::CipherRequest request = Good();
  request.session_id = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  EXPECT_TRUE(IsRight(Chain(request))) << "the worker keeps it from now on";
  EXPECT_EQ(Destroy(request.session_id), wire::VIRTIO_CRYPTO_OK);
  EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_INVSESS);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t id = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
    ASSERT_NE(id, request.session_id);
    ASSERT_EQ(Destroy(id), wire::VIRTIO_CRYPTO_OK);
  }
  EXPECT_EQ(StatusAlone(Chain(request)), wire::VIRTIO_CRYPTO_INVSESS);
}

TEST_F(SessionFaults, Fault33_SessionsMadeUsedAndClosed_MemoryStaysFlat) {
  testing::CipherRequest request = Good();
  const auto header = fixture.guest.Allocate(72, 8);
  ChainBuilder chain(fixture.guest);
  chain.ReadableAt(header, 72).Readable(kIv).Readable(kPlain).Writable(33);
  chain.OfferIndirect(*fixture.queues[kQueue]);
  const auto churn = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      auto id = fixture.device->CreateSession(
          crypto::CipherParams{.algorithm = crypto::CipherAlgorithm::kAesCbc,
                               .direction = crypto::Direction::kEncrypt,
                               .key = SecretBytes(std::span<const uint8_t>(kKey))});
      ASSERT_TRUE(id.has_value());
      // Every tenth is used, so that the worker has made it ready.
      if (i % 10 == 0) {
        request.session_id = *id;
        fixture.guest.Write(header, request.Bytes());
        ASSERT_EQ(fixture.Run(kQueue).size(), 1U);
        fixture.queues[kQueue]->Offer(0);
      }
      ASSERT_TRUE(fixture.device->CloseSession(*id));
    }
  };
  churn(2000);
  const uint64_t before = AnonymousKiB();
  churn(100000);
  // A sanitizer keeps freed memory for a while, hence the room.
  EXPECT_LT(AnonymousKiB(), before + uint64_t{64} * 1024);
  fixture.Run(kQueue);  // the one that is offered still
}

}  // namespace
}  // namespace sealane::faults
