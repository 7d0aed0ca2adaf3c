// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/dispatcher.h"

#include <gtest/gtest.h>

#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

constexpr uint32_t kPlain = 0x1;
constexpr uint32_t kNeedReply = 0x9;
constexpr Error kSomeRefusal{ErrorCode::kUnsupported, "not today"};

class DispatcherTest : public testing::Test {
 protected:
  void Negotiate(const char* protocol_features_hex) {
    handler_.error.reset();
    handler_.answer = DoneReply();
    const auto outcome = dispatcher_.Dispatch(MakeMessage(16, FromHex(protocol_features_hex)));
    EXPECT_FALSE(outcome.close);
    EXPECT_FALSE(outcome.reply.has_value());
  }
  void NegotiateReplyAck() { Negotiate("0800000000000000"); }

  static void ExpectReply(const Dispatcher::Outcome& outcome, const char* hex) {
    ASSERT_TRUE(outcome.reply.has_value());
    EXPECT_EQ(HexEncode(outcome.reply->payload), hex);
  }

  FakeHandler handler_;
  Dispatcher dispatcher_{handler_};
};

TEST_F(DispatcherTest, Question_GetsTheHandlersReply) {
  handler_.answer = U64Reply(0x174000000);
  const auto outcome = dispatcher_.Dispatch(MakeMessage(1));
  ExpectReply(outcome, "0000007401000000");
  EXPECT_FALSE(outcome.close);
  EXPECT_FALSE(outcome.error.has_value());
}

TEST_F(DispatcherTest, QuestionThatNeedsReply_GetsOneReplyOnly) {
  NegotiateReplyAck();
  handler_.answer = U64Reply(5);
  ExpectReply(dispatcher_.Dispatch(MakeMessage(17, {}, kNeedReply)), "0500000000000000");
}

TEST_F(DispatcherTest, Command_GetsNoReply) {
  const auto outcome = dispatcher_.Dispatch(MakeMessage(3));
  EXPECT_FALSE(outcome.reply.has_value());
  EXPECT_FALSE(outcome.close);
}

TEST_F(DispatcherTest, CommandThatNeedsReply_IsAcknowledged) {
  NegotiateReplyAck();
  ExpectReply(dispatcher_.Dispatch(MakeMessage(3, {}, kNeedReply)), "0000000000000000");
}

TEST_F(DispatcherTest, NeedReplyWithoutReplyAck_IsIgnored) {
  EXPECT_FALSE(dispatcher_.Dispatch(MakeMessage(3, {}, kNeedReply)).reply.has_value());
}

TEST_F(DispatcherTest, ReplyAckTakenBack_IsNoLongerUsed) {
  NegotiateReplyAck();
  Negotiate("8000000000000000");
  EXPECT_FALSE(dispatcher_.Dispatch(MakeMessage(3, {}, kNeedReply)).reply.has_value());
}

// User Mode Linux waits for it.
TEST_F(DispatcherTest, MessageThatNegotiatesReplyAck_IsAcknowledgedItself) {
  const auto outcome =
      dispatcher_.Dispatch(MakeMessage(16, FromHex("2802000000000000"), kNeedReply));
  ExpectReply(outcome, "0000000000000000");
}

TEST_F(DispatcherTest, RefusedNegotiationOfReplyAck_IsToldSo) {
  handler_.error = kSomeRefusal;
  const auto outcome =
      dispatcher_.Dispatch(MakeMessage(16, FromHex("0800000000000000"), kNeedReply));
  ExpectReply(outcome, "0100000000000000");
}

TEST_F(DispatcherTest, RefusedCommandThatNeedsReply_IsToldSo) {
  NegotiateReplyAck();
  handler_.error = kSomeRefusal;
  const auto outcome =
      dispatcher_.Dispatch(MakeMessage(8, FromHex("0000000000040000"), kNeedReply));
  ExpectReply(outcome, "0100000000000000");
  EXPECT_FALSE(outcome.close);
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_STREQ(outcome.error->what, "not today");
}

TEST_F(DispatcherTest, RefusedCommand_IsOnlyReported) {
  handler_.error = kSomeRefusal;
  const auto outcome = dispatcher_.Dispatch(MakeMessage(8, FromHex("0000000000040000"), kPlain));
  EXPECT_FALSE(outcome.reply.has_value());
  EXPECT_FALSE(outcome.close);
  EXPECT_TRUE(outcome.error.has_value());
}

TEST_F(DispatcherTest, RefusedQuestionWithoutErrorReply_ClosesTheConnection) {
  handler_.error = kSomeRefusal;
  for (const uint32_t request : {1U, 15U, 17U, 36U, 40U}) {
    const auto outcome = dispatcher_.Dispatch(MakeMessage(request));
    EXPECT_TRUE(outcome.close) << request;
    EXPECT_FALSE(outcome.reply.has_value()) << request;
  }
  EXPECT_TRUE(dispatcher_.Dispatch(MakeMessage(11, FromHex("0000000000000000"))).close);
}

TEST_F(DispatcherTest, RefusedGetConfig_GetsTheEmptyReply) {
  handler_.error = kSomeRefusal;
  const auto outcome =
      dispatcher_.Dispatch(MakeMessage(24, FromHex("00000000040000000000000000000000")));
  ExpectReply(outcome, "");
  EXPECT_FALSE(outcome.close);
}

TEST_F(DispatcherTest, RefusedCryptoSession_GetsANegativeId) {
  handler_.error = kSomeRefusal;
  const auto outcome = dispatcher_.Dispatch(MakeMessage(26, std::vector<uint8_t>(632)));
  EXPECT_FALSE(outcome.close);
  ASSERT_TRUE(outcome.reply.has_value());
  ASSERT_EQ(outcome.reply->payload.size(), 632U);
  EXPECT_EQ(HexEncode(std::span(outcome.reply->payload).first(8)), "ffffffffffffffff");
}

TEST_F(DispatcherTest, RefusedClose_IsOnlyReported) {
  NegotiateReplyAck();
  handler_.error = Error{ErrorCode::kNotFound, "no such session"};
  const auto outcome = dispatcher_.Dispatch(MakeMessage(27, FromHex("0700000000000000")));
  EXPECT_FALSE(outcome.reply.has_value());
  EXPECT_FALSE(outcome.close);
}

TEST_F(DispatcherTest, BrokenFromTheHandler_ClosesTheConnection) {
  handler_.error = Error{ErrorCode::kBroken, "no use"};
  EXPECT_TRUE(dispatcher_.Dispatch(MakeMessage(3)).close);
}

TEST_F(DispatcherTest, BadHeader_ClosesTheConnectionWithoutReply) {
  NegotiateReplyAck();
  for (const uint32_t flags : {0U, 0xaU, 0xdU, 0x19U}) {
    const auto outcome = dispatcher_.Dispatch(MakeMessage(3, {}, flags));
    EXPECT_TRUE(outcome.close) << flags;
    EXPECT_FALSE(outcome.reply.has_value()) << flags;
    EXPECT_TRUE(outcome.error.has_value()) << flags;
  }
  EXPECT_EQ(handler_.indexes.size(), 1U) << "only the negotiation";
}

TEST_F(DispatcherTest, MalformedCommand_ClosesTheConnection) {
  const auto outcome = dispatcher_.Dispatch(MakeMessage(2, FromHex("00")));
  EXPECT_TRUE(outcome.close);
  EXPECT_FALSE(outcome.reply.has_value());
  EXPECT_TRUE(handler_.indexes.empty());
}

TEST_F(DispatcherTest, MalformedCommandThatNeedsReply_IsToldSo) {
  NegotiateReplyAck();
  const auto outcome = dispatcher_.Dispatch(MakeMessage(2, FromHex("00"), kNeedReply));
  ExpectReply(outcome, "0100000000000000");
  EXPECT_FALSE(outcome.close);
}

TEST_F(DispatcherTest, MalformedQuestion_ClosesTheConnection) {
  EXPECT_TRUE(dispatcher_.Dispatch(MakeMessage(1, FromHex("00"))).close);
}

TEST_F(DispatcherTest, MalformedGetConfig_GetsTheEmptyReply) {
  const auto outcome = dispatcher_.Dispatch(MakeMessage(24, FromHex("0000")));
  ExpectReply(outcome, "");
  EXPECT_FALSE(outcome.close);
}

TEST_F(DispatcherTest, MalformedCryptoSession_GetsANegativeId) {
  const auto outcome = dispatcher_.Dispatch(MakeMessage(26, std::vector<uint8_t>(1072), kPlain, 1));
  EXPECT_FALSE(outcome.close);
  ASSERT_TRUE(outcome.reply.has_value());
  ASSERT_EQ(outcome.reply->payload.size(), 1072U);
  EXPECT_EQ(HexEncode(std::span(outcome.reply->payload).last(8)), "ffffffffffffffff");
}

TEST_F(DispatcherTest, UnknownRequest_IsTheHandlersToRefuse) {
  handler_.error = kSomeRefusal;
  EXPECT_FALSE(dispatcher_.Dispatch(MakeMessage(77, FromHex("0011"), kPlain, 2)).close);
  ASSERT_EQ(handler_.indexes.size(), 1U);
  EXPECT_EQ(handler_.indexes[0], IndexOf<request::Unknown>());
}

}  // namespace
}  // namespace sealane::vhost_user
