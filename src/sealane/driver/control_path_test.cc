// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "sealane/driver/fake_device.h"
#include "sealane/driver/message_control_path.h"
#include "sealane/driver/ring_control_path.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

using std::chrono::milliseconds;

constexpr std::array<uint8_t, 16> kKey{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr CipherSessionParams kParams{wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kDecrypt,
                                      kKey};

Outcome<SessionId> CreateSession(ControlPath& path, const CipherSessionParams& params,
                                 milliseconds timeout = milliseconds(20000)) {
  SessionOp op{.kind = SessionOp::Kind::kCreate, .params = params};
  path.Run({&op, 1}, ControlPath::Clock::now() + timeout);
  if (op.status != Status::kOk) return Failure{op.status, op.error};
  return op.session;
}

Status CloseSession(ControlPath& path, SessionId session,
                    milliseconds timeout = milliseconds(20000)) {
  SessionOp op{.kind = SessionOp::Kind::kClose, .session = session};
  path.Run({&op, 1}, ControlPath::Clock::now() + timeout);
  return op.status;
}

class RingControl : public testing::Test {
 protected:
  void Open(milliseconds patience) {
    timeout = patience;
    path = std::move(*RingControlPath::Create(device));
  }
  // The device answers each request with these bytes and this length.
  void AnswerWith(std::vector<uint8_t> bytes, uint32_t len) {
    device.SetScript([=](FakeDevice& fake, uint16_t index) {
      const auto chain = fake.Next(index);
      chain->Write(bytes);
      fake.Use(index, chain->head, len);
    });
  }
  Outcome<SessionId> Create(const CipherSessionParams& params = kParams) {
    return CreateSession(*path, params, timeout);
  }
  Status CreateStatus() {
    const auto outcome = Create();
    return outcome ? Status::kOk : outcome.error().status;
  }

  FakeDevice device{{}};
  milliseconds timeout{};
  std::unique_ptr<RingControlPath> path;
};

std::vector<uint8_t> Input(uint64_t id, uint32_t status) {
  const wire::virtio_crypto_session_input input{Le64(id), Le32(status), Le32(0)};
  const auto bytes = std::bit_cast<std::array<uint8_t, sizeof input>>(input);
  return {bytes.begin(), bytes.end()};
}

TEST_F(RingControl, Create_Request_BytesOfSpecification) {
  Open(milliseconds(5000));
  std::vector<uint8_t> request;
  device.SetScript([&](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    request = chain->ReadAll();
    EXPECT_EQ(chain->WritableLen(), 16U);
    chain->Write(Input(0x1122334455667788, 0));
    fake.Use(index, chain->head, 16);
  });
  const auto outcome = Create();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(*outcome, SessionId{0x1122334455667788});
  // 5.9.7.2: header {opcode 0x002, algo 3, flag, reserved}, para {algo, keylen, op, padding},
  // 32 bytes, {op_type 1, padding}, key.
  std::vector<uint8_t> want(72);
  want[0] = 2;
  want[4] = 3;
  want[16] = 3;
  want[20] = 16;
  want[24] = 2;
  want[64] = 1;
  want.insert(want.end(), kKey.begin(), kKey.end());
  EXPECT_EQ(request, want);
}

TEST_F(RingControl, Close_Request_BytesOfSpecification) {
  Open(milliseconds(5000));
  std::vector<uint8_t> request;
  device.SetScript([&](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    request = chain->ReadAll();
    FinishChain(fake, index, *chain, {}, 0);
  });
  EXPECT_EQ(CloseSession(*path, SessionId{0x0102}), Status::kOk);
  std::vector<uint8_t> want(72);
  want[0] = 3;
  want[16] = 2;
  want[17] = 1;
  EXPECT_EQ(request, want);
}

TEST_F(RingControl, Create_DeviceStatus_ComesThrough) {
  Open(milliseconds(5000));
  constexpr std::array kExpected{
      Status::kError,   Status::kBadMessage,  Status::kNotSupported, Status::kInvalidSession,
      Status::kNoSpace, Status::kKeyRejected, Status::kBadReply};
  for (uint32_t status = 1; status <= kExpected.size(); ++status) {
    AnswerWith(Input(5, status), 16);
    EXPECT_EQ(CreateStatus(), kExpected[status - 1]) << status;
  }
  AnswerWith(Input(5, 0x100), 16);  // OK in its low byte
  EXPECT_EQ(CreateStatus(), Status::kBadReply);
}

TEST_F(RingControl, Create_ShortAnswer_BadReplyAndPathGoesOn) {
  Open(milliseconds(5000));
  for (const uint32_t len : {0U, 1U, 8U, 12U, 15U}) {
    AnswerWith(Input(5, 0), len);
    EXPECT_EQ(CreateStatus(), Status::kBadReply) << len;
  }
  AnswerWith({}, 16);  // claims to have written, and did not
  EXPECT_EQ(CreateStatus(), Status::kBadReply);
  AnswerWith(Input(5, 0), 16);
  EXPECT_EQ(CreateStatus(), Status::kOk);
}

TEST_F(RingControl, Create_LongAnswer_Broken) {
  Open(milliseconds(5000));
  AnswerWith(Input(5, 0), 17);
  EXPECT_EQ(CreateStatus(), Status::kBroken);
  EXPECT_EQ(CreateStatus(), Status::kBroken);
}

TEST_F(RingControl, Create_WrongId_Broken) {
  for (const uint32_t id : {1U, 64U, 0x10000U, 0xffffffffU}) {
    FakeDevice fake{{}};
    const auto broken = std::move(*RingControlPath::Create(fake));
    fake.SetScript([id](FakeDevice& self, uint16_t index) {
      static_cast<void>(self.Next(index));
      self.Use(index, id, 16);
    });
    const auto outcome = CreateSession(*broken, kParams);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().status, Status::kBroken) << id;
  }
}

TEST_F(RingControl, Create_DuplicateCompletion_LaterCallsBroken) {
  Open(milliseconds(5000));
  device.SetScript([](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    chain->Write(Input(7, 0));
    fake.Use(index, chain->head, 16);
    fake.Use(index, chain->head, 16);
  });
  EXPECT_EQ(CreateStatus(), Status::kBroken);
}

TEST_F(RingControl, Create_NoAnswer_TimesOutAndPathGoesOn) {
  Open(milliseconds(20));
  std::optional<FakeChain> kept;
  device.SetScript([&](FakeDevice& fake, uint16_t index) { kept = fake.Next(index); });
  EXPECT_EQ(CreateStatus(), Status::kTimeout);
  // The late answer makes a session that nobody knows: it is closed again.
  const auto destroyed = std::make_shared<int>(0);
  device.SetScript([&, destroyed](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    const auto request = chain->ReadAll();
    if (request[0] == 3) {
      EXPECT_EQ(request[16], 77);
      ++*destroyed;
      FinishChain(fake, index, *chain, {}, 0);
      return;
    }
    kept->Write(Input(77, 0));
    fake.Use(index, kept->head, 16);
    chain->Write(Input(78, 0));
    fake.Use(index, chain->head, 16);
  });
  const auto outcome = Create();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(*outcome, SessionId{78});
  EXPECT_EQ(*destroyed, 1);
}

TEST_F(RingControl, Create_NeverAnswered_SlotsRunOutWithoutHang) {
  Open(milliseconds(2));
  for (int i = 0; i < 200; ++i) ASSERT_EQ(CreateStatus(), Status::kTimeout) << i;
}

TEST_F(RingControl, Create_DeviceGone_BrokenWithinTheDeadline) {
  Open(milliseconds(60000));
  device.SetScript([](FakeDevice& fake, uint16_t index) { fake.BreakQueue(index); });
  EXPECT_EQ(CreateStatus(), Status::kBroken);
}

TEST_F(RingControl, Create_ImpossibleKeys_RefusedHere) {
  Open(milliseconds(5000));
  const std::vector<uint8_t> long_key(kMaxKeyLen + 1);
  for (const std::span<const uint8_t> key :
       {std::span<const uint8_t>(), std::span<const uint8_t>(long_key)}) {
    const auto outcome = Create({3, Operation::kEncrypt, key});
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().status, Status::kInvalidArgument);
  }
  EXPECT_EQ(device.num_kicks(), 0);
}

TEST_F(RingControl, Key_AfterCall_NotLeftInSharedMemory) {
  Open(milliseconds(5000));
  device.SetScript([](FakeDevice& fake, uint16_t) { fake.ServeControl(); });
  ASSERT_EQ(CreateStatus(), Status::kOk);
  const auto& memory = device.memory();
  const std::span<const uint8_t> all(memory->data(), 1 << 20);
  EXPECT_TRUE(std::ranges::search(all, kKey).empty());
}

TEST_F(RingControl, Threads_CreateAndClose_EachGetsItsOwn) {
  Open(milliseconds(20000));
  std::mutex mutex;
  device.SetScript([&](FakeDevice& fake, uint16_t) {
    const std::lock_guard lock(mutex);
    fake.ServeControl();
  });
  std::set<SessionId> ids;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const auto session = Create();
        ASSERT_TRUE(session.has_value());
        ASSERT_EQ(CloseSession(*path, *session), Status::kOk);
        const std::lock_guard lock(mutex);
        EXPECT_TRUE(ids.insert(*session).second) << "given to two callers";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids.size(), 1600U);
  EXPECT_EQ(device.live_sessions(), 0);
}

class FakeMessages final : public SessionMessages {
 public:
  Outcome<SessionId> CreateSession(const SessionParams& params) override {
    const auto* cipher = std::get_if<CipherSessionParams>(&params);
    if (cipher == nullptr || cipher->algorithm != wire::VIRTIO_CRYPTO_CIPHER_AES_CBC) {
      return Failure{Status::kNotSupported, {}};
    }
    return SessionId{9};
  }
  Outcome<void> CloseSession(SessionId session) override {
    closed = session;
    return {};
  }
  SessionId closed{};
};

TEST(MessageControlPath, CreateAndClose_PassedOn) {
  FakeMessages messages;
  MessageControlPath path(messages);
  EXPECT_EQ(CreateSession(path, kParams).value(), SessionId{9});
  EXPECT_EQ(CreateSession(path, {4, Operation::kEncrypt, kKey}).error().status,
            Status::kNotSupported);
  EXPECT_EQ(CreateSession(path, {3, Operation::kEncrypt, {}}).error().status,
            Status::kInvalidArgument);
  EXPECT_EQ(CloseSession(path, SessionId{9}), Status::kOk);
  EXPECT_EQ(messages.closed, SessionId{9});
}

TEST(MessageControlPath, Started_ComesBackByPoll_AndCanceledAfterShutdown) {
  FakeMessages messages;
  MessageControlPath path(messages);
  SessionOp op{.params = kParams, .on_done = [](SessionOp& self) { ++self.cookie; }};
  SessionOp* const ops[] = {&op};
  EXPECT_FALSE(path.Wait({}));
  EXPECT_EQ(path.Start(ops), 1U);
  EXPECT_EQ(op.cookie, 0U);
  EXPECT_TRUE(path.Wait({}));
  EXPECT_EQ(path.Poll(), 1U);
  EXPECT_EQ(op.cookie, 1U);
  EXPECT_EQ(op.status, Status::kOk);
  path.Shutdown();
  EXPECT_EQ(CreateSession(path, kParams).error().status, Status::kCanceled);
}

}  // namespace
}  // namespace sealane::driver
