// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/server.h"

#include <gtest/gtest.h>

#include <thread>

#include "sealane/base/event_fd.h"
#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

using std::chrono::milliseconds;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto wake = EventFd::Create();
    ASSERT_TRUE(wake.has_value());
    wake_ = std::move(*wake);
    auto [ours, peer] = MakeSocketPair();
    front_end_.emplace(std::move(peer));
    back_end_.emplace(std::move(ours));
    server_ = std::thread([this] {
      end_.emplace(Serve(*back_end_, handler_, wake_.fd()));
      back_end_.reset();
    });
  }
  void TearDown() override { Stop(); }

  // Ends the server and gives what Serve returned.
  const Result<ServeEnd>& Stop() {
    wake_.Signal();
    return Join();
  }
  const Result<ServeEnd>& Join() {
    if (server_.joinable()) server_.join();
    return *end_;
  }

  void Send(uint32_t request, const char* payload_hex, uint32_t flags = 1) {
    const auto payload = FromHex(payload_hex);
    const wire::vhost_user_header header{
        .request = request, .flags = flags, .size = static_cast<uint32_t>(payload.size())};
    ASSERT_TRUE(front_end_->Send(header, payload, {}, {}).has_value());
  }

  static WaitLimits Soon() {
    return {.wake_fd = -1, .deadline = std::chrono::steady_clock::now() + milliseconds(5000)};
  }

  void ExpectReply(uint32_t request, const char* payload_hex) {
    const auto reply = front_end_->Receive(Soon());
    ASSERT_TRUE(reply.has_value()) << reply.error().what;
    ASSERT_TRUE(reply->has_value());
    EXPECT_EQ((*reply)->header.request, request);
    EXPECT_EQ((*reply)->header.flags, 0x5U);
    EXPECT_EQ(HexEncode((*reply)->payload.bytes()), payload_hex);
  }

  FakeHandler handler_;  // the server's until it has ended
  EventFd wake_;
  std::optional<Connection> front_end_;
  std::optional<Connection> back_end_;
  std::optional<Result<ServeEnd>> end_;
  std::thread server_;
};

TEST_F(ServerTest, Serve_Questions_AreAnsweredInOrder) {
  handler_.on_request = [](const Request& request) -> Result<Reply> {
    return U64Reply(std::holds_alternative<request::GetFeatures>(request) ? 1 : 2);
  };
  Send(1, "");
  Send(15, "");
  ExpectReply(1, "0100000000000000");
  ExpectReply(15, "0200000000000000");
  front_end_.reset();
  EXPECT_EQ(Join().value(), ServeEnd::kPeerClosed);
}

TEST_F(ServerTest, Serve_WakeUp_EndsIt) { EXPECT_EQ(Stop().value(), ServeEnd::kWoken); }

TEST_F(ServerTest, Serve_RefusedMessage_GoesOn) {
  handler_.on_request = [](const Request& request) -> Result<Reply> {
    if (std::holds_alternative<request::GetFeatures>(request)) return U64Reply(7);
    return Error{ErrorCode::kUnsupported, "not today"};
  };
  Send(8, "0000000000040000");
  Send(99, "0011");
  Send(1, "");
  ExpectReply(1, "0700000000000000");
}

TEST_F(ServerTest, Serve_MalformedMessage_ClosesTheConnection) {
  Send(2, "00");
  const auto reply = front_end_->Receive(Soon());
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code, ErrorCode::kClosed);
  ASSERT_FALSE(Join().has_value());
  EXPECT_EQ(Join().error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(handler_.indexes.empty());
}

TEST_F(ServerTest, Serve_MalformedMessageWithNeedReply_IsToldSoAndGoesOn) {
  Send(16, "0800000000000000");
  Send(2, "00", 0x9);
  ExpectReply(2, "0100000000000000");
  Send(3, "", 0x9);
  ExpectReply(3, "0000000000000000");
}

TEST_F(ServerTest, Serve_MessageCutOff_IsAnError) {
  const auto half = FromHex("0200000001");
  ASSERT_EQ(::send(front_end_->fd(), half.data(), half.size(), MSG_NOSIGNAL), 5);
  front_end_.reset();
  ASSERT_FALSE(Join().has_value());
  EXPECT_EQ(Join().error().code, ErrorCode::kBroken);
}

TEST_F(ServerTest, Serve_PeerThatLeavesBeforeTheReply_IsNoError) {
  handler_.answer = U64Reply(1);
  for (int i = 0; i < 10; ++i) Send(1, "");
  front_end_.reset();
  EXPECT_EQ(Join().value(), ServeEnd::kPeerClosed);
}

}  // namespace
}  // namespace sealane::vhost_user
