// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/frontend.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>

#include "sealane/base/event_fd.h"
#include "sealane/vhost_user/fake_handler.h"
#include "sealane/vhost_user/server.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::vhost_user {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kReplyAck = uint64_t{1} << wire::VHOST_USER_PROTOCOL_F_REPLY_ACK;

CryptoSessionDescription AesCbcSession(CryptoLayout layout) {
  CryptoSessionDescription description;
  description.layout = layout;
  description.op_code = wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION;
  SymmetricSession session;
  session.cipher_alg = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC;
  session.op_type = 1;
  session.direction = 1;
  session.key = SecretBytes(FromHex("2b7e151628aed2a6abf7158809cf4f3c"));
  description.session = std::move(session);
  return description;
}

// A back-end that says nothing of its own accord: the test reads what was sent and plays replies.
class ScriptedBackEnd : public testing::Test {
 protected:
  ScriptedBackEnd() {
    auto [ours, peer] = MakeSocketPair();
    front_end_.emplace(Connection(std::move(ours)), milliseconds(50));
    peer_ = std::move(peer);
  }

  // Replies lie in the socket before the question is asked.
  void WillReply(const std::string& hex) {
    const auto bytes = FromHex(hex);
    ASSERT_EQ(::send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  std::string Sent() {
    std::vector<uint8_t> bytes(8192);
    const ssize_t num_read = ::recv(peer_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    bytes.resize(num_read < 0 ? 0 : static_cast<size_t>(num_read));
    return HexEncode(bytes);
  }

  template <class T>
  void ExpectBroken(const Result<T>& result, ErrorCode code) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, code) << result.error().what;
    // The stream is out of step, so nothing more may be believed.
    WillReply("0300000005000000080000000000000000000000");
    EXPECT_EQ(front_end_->SetOwner().error().code, ErrorCode::kBroken);
  }

  std::optional<Frontend> front_end_;
  UniqueFd peer_;
};

TEST_F(ScriptedBackEnd, Commands_AreTheProtocolsBytes) {
  EXPECT_TRUE(front_end_->SetOwner().has_value());
  EXPECT_EQ(Sent(), "030000000100000000000000");
  EXPECT_TRUE(front_end_->SetFeatures(0x170000000).has_value());
  EXPECT_EQ(Sent(), "0200000001000000080000000000007001000000");
  EXPECT_TRUE(front_end_->SetVringNum(1, 1024).has_value());
  EXPECT_EQ(Sent(), "0800000001000000080000000100000000040000");
  EXPECT_TRUE(front_end_->SetVringBase(2, 3).has_value());
  EXPECT_EQ(Sent(), "0a00000001000000080000000200000003000000");
  EXPECT_TRUE(front_end_->SetVringEnable(1, true).has_value());
  EXPECT_EQ(Sent(), "1200000001000000080000000100000001000000");
  EXPECT_TRUE(front_end_->SetVringKick(5, -1).has_value());
  EXPECT_EQ(Sent(), "0c00000001000000080000000501000000000000");
  EXPECT_TRUE(front_end_->SetVringErr(0, 0).has_value());
  EXPECT_EQ(Sent(), "0e00000001000000080000000000000000000000");
  EXPECT_TRUE(front_end_->CloseCryptoSession(9).has_value());
  EXPECT_EQ(Sent(), "1b00000001000000080000000900000000000000");
  EXPECT_TRUE(front_end_->SetStatus(8).has_value());
  EXPECT_EQ(Sent(), "2700000001000000080000000800000000000000");
  EXPECT_TRUE(front_end_->ResetDevice().has_value());
  EXPECT_EQ(Sent(), "220000000100000000000000");
}

TEST_F(ScriptedBackEnd, SetVringAddr_IsTheProtocolsBytes) {
  EXPECT_TRUE(front_end_
                  ->SetVringAddr({.index = 0,
                                  .flags = 0,
                                  .desc = mem::FrontendAddr{0x7f0ee7dd7000},
                                  .used = mem::FrontendAddr{0x7f0ee7ddb840},
                                  .avail = mem::FrontendAddr{0x7f0ee7ddb000},
                                  .log_guest_addr = 0x1fddc840})
                  .has_value());
  EXPECT_EQ(Sent(),
            "090000000100000028000000"
            "00000000000000000070dde70e7f000040b8dde70e7f000000b0dde70e7f000040c8dd1f00000000");
}

TEST_F(ScriptedBackEnd, SetMemTable_IsTheProtocolsBytes) {
  const SharedRegion region{.region = {.guest_phys_addr = 0,
                                       .memory_size = 0x20000000,
                                       .userspace_addr = 0x7f0ec7fff000,
                                       .mmap_offset = 0},
                            .fd = 0};
  EXPECT_TRUE(front_end_->SetMemTable(std::span(&region, 1)).has_value());
  EXPECT_EQ(Sent(),
            "050000000100000028000000"
            "0100000000000000"
            "0000000000000000000000200000000000f0ffc70e7f00000000000000000000");
}

TEST_F(ScriptedBackEnd, CreateCryptoSession_IsTheProtocolsBytes) {
  WillReply("1a0000000500000078020000" + std::string("2a00000000000000") + std::string(1248, '0'));
  EXPECT_EQ(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL2)).value(), 42);
  EXPECT_EQ(Sent(),
            "1a0000000100000078020000"
            "00000000000000000300000010000000" +
                std::string(32, '0') + "0101000000000000" + std::string(32, '0') +
                "2b7e151628aed2a6abf7158809cf4f3c" + std::string(1120, '0'));
}

TEST_F(ScriptedBackEnd, WithReplyAck_CommandsAskAndWait) {
  EXPECT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  EXPECT_EQ(Sent(), "1000000001000000080000000800000000000000");
  WillReply("0300000005000000080000000000000000000000");
  EXPECT_TRUE(front_end_->SetOwner().has_value());
  EXPECT_EQ(Sent(), "030000000900000000000000");
  EXPECT_TRUE(front_end_->CloseCryptoSession(1).has_value());
  EXPECT_EQ(Sent(), "1b00000001000000080000000100000000000000");
}

TEST_F(ScriptedBackEnd, NegativeAcknowledgement_IsARefusalAndNoMore) {
  EXPECT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  WillReply("0300000005000000080000000100000000000000");
  const auto refused = front_end_->SetOwner();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  WillReply("0300000005000000080000000000000000000000");
  EXPECT_TRUE(front_end_->SetOwner().has_value());
}

TEST_F(ScriptedBackEnd, Silence_TimesOut) {
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kTimeout);
}

TEST_F(ScriptedBackEnd, HalfAReply_TimesOut) {
  WillReply("01000000050000000800000000");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kTimeout);
}

TEST_F(ScriptedBackEnd, BackEndThatLeft_IsClosed) {
  peer_.reset();
  const auto features = front_end_->GetFeatures();
  ASSERT_FALSE(features.has_value());
  EXPECT_EQ(features.error().code, ErrorCode::kClosed);
  EXPECT_EQ(front_end_->GetFeatures().error().code, ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, ReplyToAnotherRequest_IsRefused) {
  WillReply("0f00000005000000080000000000000000000000");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, ReplyWithOtherFlags_IsRefused) {
  WillReply("0100000001000000080000000000000000000000");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, ReplyWithNeedReply_IsRefused) {
  WillReply("010000000d000000080000000000000000000000");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, ReplyOfAnotherSize_IsRefused) {
  WillReply("01000000050000000400000000000000");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, AcknowledgementOfAnotherSize_IsRefused) {
  EXPECT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  WillReply("030000000500000000000000");
  ExpectBroken(front_end_->SetOwner(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, HugeReply_IsRefused) {
  WillReply("0100000005000000ffffffff");
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, ReplyWithADescriptor_IsRefused) {
  Connection peer(UniqueFd(::dup(peer_.get())));
  ASSERT_TRUE(peer.Send(ReplyHeader(1, 8), std::vector<uint8_t>(8), std::array{0}, {}).has_value());
  ExpectBroken(front_end_->GetFeatures(), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, VringBaseOfAnotherRing_IsRefused) {
  WillReply("0b00000005000000080000000100000000000000");
  ExpectBroken(front_end_->GetVringBase(0), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, EmptyConfigReply_IsARefusalAndNoMore) {
  WillReply("180000000500000000000000");
  std::array<uint8_t, 4> out{};
  EXPECT_EQ(front_end_->GetConfig(0, out).error().code, ErrorCode::kInvalid);
  WillReply("180000000500000010000000000000000400000000000000aabbccdd");
  EXPECT_TRUE(front_end_->GetConfig(0, out).has_value());
  EXPECT_EQ(HexEncode(out), "aabbccdd");
}

TEST_F(ScriptedBackEnd, ConfigReplyAboutOtherBytes_IsRefused) {
  WillReply("180000000500000010000000040000000400000000000000aabbccdd");
  std::array<uint8_t, 4> out{};
  ExpectBroken(front_end_->GetConfig(0, out), ErrorCode::kBroken);
  EXPECT_EQ(HexEncode(out), "00000000");
}

TEST_F(ScriptedBackEnd, ConfigReplyOfAnotherSize_IsRefused) {
  WillReply("180000000500000014000000000000000800000000000000aabbccdd00112233");
  std::array<uint8_t, 4> out{};
  ExpectBroken(front_end_->GetConfig(0, out), ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, SessionReplyOfAnotherSize_IsRefused) {
  WillReply("1a0000000500000008000000ffffffffffffffff");
  ExpectBroken(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL3)),
               ErrorCode::kBroken);
}

TEST_F(ScriptedBackEnd, CallersMistakes_SendNothing) {
  EXPECT_FALSE(front_end_->SetVringKick(256, -1).has_value());
  EXPECT_FALSE(front_end_->SetMemTable(std::vector<SharedRegion>(9)).has_value());
  std::vector<uint8_t> out(257);
  EXPECT_FALSE(front_end_->GetConfig(0, out).has_value());
  EXPECT_FALSE(front_end_->SetConfig(0, out).has_value());
  EXPECT_EQ(Sent(), "");
  EXPECT_TRUE(front_end_->SetOwner().has_value()) << "and nothing is broken";
}

// Both ends of ours, over a socket: what one side says is what the other hears.
class AgainstServer : public testing::Test {
 protected:
  void SetUp() override {
    auto [ours, peer] = MakeSocketPair();
    front_end_.emplace(Connection(std::move(ours)));
    server_ = std::thread([this, connection = Connection(std::move(peer))]() mutable {
      EXPECT_TRUE(Serve(connection, handler_, -1).has_value());
    });
  }
  void TearDown() override { Finish(); }
  void Finish() {
    front_end_.reset();
    if (server_.joinable()) server_.join();
  }

  FakeHandler handler_;  // set before the first call, read after Finish
  std::optional<Frontend> front_end_;
  std::thread server_;
};

TEST_F(AgainstServer, Questions_GiveTheAnswers) {
  handler_.on_request = [](const Request& request) -> Result<Reply> {
    if (std::holds_alternative<request::GetFeatures>(request)) return U64Reply(1);
    if (std::holds_alternative<request::GetProtocolFeatures>(request)) return U64Reply(2);
    if (std::holds_alternative<request::GetQueueNum>(request)) return U64Reply(3);
    if (std::holds_alternative<request::GetMaxMemSlots>(request)) return U64Reply(4);
    if (std::holds_alternative<request::GetStatus>(request)) return U64Reply(5);
    const auto* get = std::get_if<request::GetVringBase>(&request);
    return VringStateReply(get->index, 6);
  };
  EXPECT_EQ(front_end_->GetFeatures().value(), 1U);
  EXPECT_EQ(front_end_->GetProtocolFeatures().value(), 2U);
  EXPECT_EQ(front_end_->GetQueueNum().value(), 3U);
  EXPECT_EQ(front_end_->GetMaxMemSlots().value(), 4U);
  EXPECT_EQ(front_end_->GetStatus().value(), 5U);
  EXPECT_EQ(front_end_->GetVringBase(7).value(), 6U);
}

TEST_F(AgainstServer, Configuration_IsReadAndWritten) {
  std::vector<uint8_t> written;
  handler_.on_request = [&written](const Request& request) -> Result<Reply> {
    if (const auto* get = std::get_if<request::GetConfig>(&request)) {
      if (get->offset != 12) return Error{ErrorCode::kInvalid, "outside"};
      return ConfigReply(*get, FromHex("01020304"));
    }
    if (const auto* set = std::get_if<request::SetConfig>(&request)) written = set->bytes;
    return DoneReply();
  };
  ASSERT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  std::array<uint8_t, 4> out{};
  EXPECT_TRUE(front_end_->GetConfig(12, out).has_value());
  EXPECT_EQ(HexEncode(out), "01020304");
  EXPECT_EQ(front_end_->GetConfig(16, out).error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(front_end_->SetConfig(8, FromHex("aabb")).has_value());
  Finish();
  EXPECT_EQ(written, FromHex("aabb"));
}

TEST_F(AgainstServer, DescriptorsAndMemory_Arrive) {
  const UniqueFd file(::memfd_create("sealane_test", MFD_CLOEXEC));
  SharedRegion region;
  region.region.memory_size = 4096;
  region.fd = file.get();
  ASSERT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  EXPECT_TRUE(front_end_->SetMemTable(std::vector<SharedRegion>(8, region)).has_value());
  EXPECT_TRUE(front_end_->AddMemReg(region).has_value());
  EXPECT_TRUE(front_end_->RemMemReg(region.region).has_value());
  EXPECT_TRUE(front_end_->SetVringKick(0, file.get()).has_value());
  EXPECT_TRUE(front_end_->SetVringCall(0, file.get()).has_value());
  EXPECT_TRUE(front_end_->SetVringErr(0, -1).has_value());
  Finish();
  EXPECT_EQ(handler_.num_fds, (std::vector<size_t>{0, 8, 1, 0, 1, 1, 0}));
  EXPECT_EQ(handler_.indexes[1], IndexOf<request::SetMemTable>());
  EXPECT_EQ(handler_.indexes[4], IndexOf<request::SetVringKick>());
}

TEST_F(AgainstServer, CryptoSession_InEveryLayout_GivesTheId) {
  std::vector<std::string> keys;
  handler_.on_request = [&keys](const Request& request) -> Result<Reply> {
    const auto* create = std::get_if<request::CreateCryptoSession>(&request);
    const auto decoded = DecodeCryptoSession(create->payload.bytes());
    keys.push_back(HexEncode(std::get<SymmetricSession>(decoded->session).key.bytes()));
    if (keys.size() == 4) return Error{ErrorCode::kNoSpace, "enough"};
    return Reply{
        EncodeCryptoSessionReply(create->payload.bytes(), 40 + static_cast<int64_t>(keys.size()))};
  };
  EXPECT_EQ(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL1)).value(), 41);
  EXPECT_EQ(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL2)).value(), 42);
  EXPECT_EQ(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL3)).value(), 43);
  EXPECT_LT(front_end_->CreateCryptoSession(AesCbcSession(CryptoLayout::kL3)).value(), 0);
  Finish();
  EXPECT_EQ(keys, std::vector<std::string>(4, "2b7e151628aed2a6abf7158809cf4f3c"));
}

TEST_F(AgainstServer, RefusedCommand_IsInvalid) {
  handler_.on_request = [](const Request& request) -> Result<Reply> {
    if (std::holds_alternative<request::SetProtocolFeatures>(request)) return DoneReply();
    return Error{ErrorCode::kOutOfRange, "no such ring"};
  };
  ASSERT_TRUE(front_end_->SetProtocolFeatures(kReplyAck).has_value());
  EXPECT_EQ(front_end_->SetVringNum(9, 16).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(front_end_->ResetDevice().error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace sealane::vhost_user
