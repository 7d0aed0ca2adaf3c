// SPDX-License-Identifier: Apache-2.0
//
// Conversations of real front-ends, after the logs of plain back-ends, replayed through the
// dispatcher: every message is understood for what it is, and answered where the front-end waits.
// Order, flags, sizes and descriptors are those of the logs; where a log does not have a payload,
// the test says what was filled in. The answers are this test's own.
#include <gtest/gtest.h>

#include <string>

#include "sealane/vhost_user/crypto_session.h"
#include "sealane/vhost_user/dispatcher.h"
#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

constexpr char kNoReply[] = "none";
constexpr char kAck[] = "0000000000000000";
constexpr char kU64Zero[] = "0000000000000000";

struct Line {
  uint32_t request;
  uint32_t flags;
  std::string payload;
  size_t num_fds;
  size_t understood_as;
  std::string reply;
};

std::string Zeros(size_t num_bytes) { return std::string(2 * num_bytes, '0'); }

// A back-end as the logging one was: it says yes to everything.
Result<Reply> Agree(const Request& request) {
  if (std::holds_alternative<request::GetFeatures>(request)) return U64Reply(0x174000000);
  if (std::holds_alternative<request::GetProtocolFeatures>(request)) return U64Reply(0x2a9);
  if (std::holds_alternative<request::GetQueueNum>(request)) return U64Reply(4);
  if (std::holds_alternative<request::GetMaxMemSlots>(request)) return U64Reply(8);
  if (std::holds_alternative<request::GetStatus>(request)) return U64Reply(0);
  if (const auto* get = std::get_if<request::GetVringBase>(&request)) {
    return VringStateReply(get->index, 3);
  }
  if (const auto* get = std::get_if<request::GetConfig>(&request)) {
    return ConfigReply(*get, std::vector<uint8_t>(get->size, 0xcc));
  }
  if (const auto* create = std::get_if<request::CreateCryptoSession>(&request)) {
    return Reply{EncodeCryptoSessionReply(create->payload.bytes(), 1)};
  }
  return DoneReply();
}

void Replay(const std::vector<Line>& conversation) {
  FakeHandler handler;
  handler.on_request = Agree;
  Dispatcher dispatcher(handler);
  for (size_t i = 0; i < conversation.size(); ++i) {
    const Line& line = conversation[i];
    SCOPED_TRACE("line " + std::to_string(i) + ", request " + std::to_string(line.request));
    const auto outcome = dispatcher.Dispatch(
        MakeMessage(line.request, FromHex(line.payload), line.flags, line.num_fds));
    EXPECT_FALSE(outcome.close);
    EXPECT_FALSE(outcome.error.has_value()) << outcome.error->what;
    ASSERT_EQ(handler.indexes.size(), i + 1);
    EXPECT_EQ(handler.indexes[i], line.understood_as);
    EXPECT_EQ(handler.num_fds[i], line.num_fds);
    EXPECT_EQ(outcome.reply ? HexEncode(outcome.reply->payload) : kNoReply, line.reply);
  }
}

// The key is that of the kernel's cbc(aes) self-test.
std::string Session(const char* direction) {
  return "00000000000000000300000010000000" + Zeros(16) + "01" + direction +
         "000000000000a0fb25c00e7f00000000000000000000"
         "06a9214036b8a15b512e03d534120006" +
         Zeros(560);
}

std::string SessionReply() { return "0100000000000000" + Zeros(624); }

using namespace request;  // NOLINT(google-build-using-namespace): the tables below are names only

// QEMU 7.2 with a Linux 6.1 guest; protocol features MQ, REPLY_ACK, BACKEND_REQ, CRYPTO_SESSION.
TEST(Conversation, Qemu72WithGuest_IsServed) {
  Replay({
      {1, 0x1, "", 0, IndexOf<GetFeatures>(), "0000007401000000"},
      {15, 0x1, "", 0, IndexOf<GetProtocolFeatures>(), "a902000000000000"},
      {16, 0x1, "a900000000000000", 0, IndexOf<SetProtocolFeatures>(), kNoReply},
      {17, 0x1, "", 0, IndexOf<GetQueueNum>(), "0400000000000000"},
      {21, 0x9, "", 1, IndexOf<SetBackendReqFd>(), kAck},
      {3, 0x1, "", 0, IndexOf<SetOwner>(), kNoReply},
      {1, 0x1, "", 0, IndexOf<GetFeatures>(), "0000007401000000"},
      {13, 0x1, kU64Zero, 1, IndexOf<SetVringCall>(), kNoReply},
      {14, 0x1, kU64Zero, 1, IndexOf<SetVringErr>(), kNoReply},
      {2, 0x1, "0000004000000000", 0, IndexOf<SetFeatures>(), kNoReply},
      {5, 0x9, "0100000000000000" + Zeros(8) + "000000200000000000f0ffc70e7f0000" + Zeros(8), 1,
       IndexOf<SetMemTable>(), kAck},
      {8, 0x1, "0000000000040000", 0, IndexOf<SetVringNum>(), kNoReply},
      {10, 0x1, kU64Zero, 0, IndexOf<SetVringBase>(), kNoReply},
      {9, 0x1, "00000000000000000070dde70e7f000040b8dde70e7f000000b0dde70e7f000040c8dd1f00000000",
       0, IndexOf<SetVringAddr>(), kNoReply},
      {12, 0x1, kU64Zero, 1, IndexOf<SetVringKick>(), kNoReply},
      {13, 0x1, kU64Zero, 1, IndexOf<SetVringCall>(), kNoReply},
      {26, 0x1, Session("01"), 0, IndexOf<CreateCryptoSession>(), SessionReply()},
      {26, 0x1, Session("02"), 0, IndexOf<CreateCryptoSession>(), SessionReply()},
      {27, 0x1, "0100000000000000", 0, IndexOf<CloseCryptoSession>(), kNoReply},
      {27, 0x1, "0200000000000000", 0, IndexOf<CloseCryptoSession>(), kNoReply},
      {11, 0x1, kU64Zero, 0, IndexOf<GetVringBase>(), "0000000003000000"},
  });
}

// QEMU 7.2 when it is offered every protocol feature. Only the order, the flags and the values of
// SET_PROTOCOL_FEATURES, SET_FEATURES and SET_STATUS were noted; the other payloads are filled in.
TEST(Conversation, Qemu72WithAllProtocolFeatures_IsServed) {
  Replay({
      {1, 0x1, "", 0, IndexOf<GetFeatures>(), "0000007401000000"},
      {15, 0x1, "", 0, IndexOf<GetProtocolFeatures>(), "a902000000000000"},
      {16, 0x1, "fffd010000000000", 0, IndexOf<SetProtocolFeatures>(), kNoReply},
      {17, 0x1, "", 0, IndexOf<GetQueueNum>(), "0400000000000000"},
      {36, 0x1, "", 0, IndexOf<GetMaxMemSlots>(), "0800000000000000"},
      {21, 0x9, "", 1, IndexOf<SetBackendReqFd>(), kAck},
      {3, 0x1, "", 0, IndexOf<SetOwner>(), kNoReply},
      {1, 0x1, "", 0, IndexOf<GetFeatures>(), "0000007401000000"},
      {13, 0x1, kU64Zero, 1, IndexOf<SetVringCall>(), kNoReply},
      {14, 0x1, kU64Zero, 1, IndexOf<SetVringErr>(), kNoReply},
      {2, 0x1, "0000004000000000", 0, IndexOf<SetFeatures>(), kNoReply},
      {40, 0x1, "", 0, IndexOf<GetStatus>(), "0000000000000000"},
      {39, 0x1, "0800000000000000", 0, IndexOf<SetStatus>(), kNoReply},
      {37, 0x9, Zeros(8) + Zeros(8) + "00000c000000000000f0ffc70e7f0000" + Zeros(8), 1,
       IndexOf<AddMemReg>(), kAck},
      {8, 0x1, "0000000000040000", 0, IndexOf<SetVringNum>(), kNoReply},
      {10, 0x1, kU64Zero, 0, IndexOf<SetVringBase>(), kNoReply},
      {9, 0x1, Zeros(40), 0, IndexOf<SetVringAddr>(), kNoReply},
      {12, 0x1, kU64Zero, 1, IndexOf<SetVringKick>(), kNoReply},
      {13, 0x1, kU64Zero, 1, IndexOf<SetVringCall>(), kNoReply},
      {11, 0x1, kU64Zero, 0, IndexOf<GetVringBase>(), "0000000003000000"},
  });
}

std::string ConfigHeader(const char* offset, const char* size) {
  return std::string(offset) + "000000" + size + "00000000000000";
}

Line UmlGetConfig(const char* offset, const char* size, size_t num_bytes) {
  const std::string header = ConfigHeader(offset, size);
  std::string reply = header;
  for (size_t i = 0; i < num_bytes; ++i) reply += "cc";
  return {24, 0x1, header + Zeros(num_bytes), 0, IndexOf<GetConfig>(), reply};
}

// User Mode Linux, 6.1. The log has the first 16 bytes of a payload; the rest is filled in. Seven
// of its twelve reads of configuration space before SET_MEM_TABLE, all of one kind, are left out.
TEST(Conversation, UserModeLinux_IsServed) {
  Replay({
      {3, 0x1, "", 0, IndexOf<SetOwner>(), kNoReply},
      {1, 0x1, "", 0, IndexOf<GetFeatures>(), "0000007401000000"},
      {15, 0x1, "", 0, IndexOf<GetProtocolFeatures>(), "a902000000000000"},
      {16, 0x9, "2802000000000000", 0, IndexOf<SetProtocolFeatures>(), kAck},
      {21, 0x9, "", 1, IndexOf<SetBackendReqFd>(), kAck},
      {2, 0x9, "0000007001000000", 0, IndexOf<SetFeatures>(), kAck},
      UmlGetConfig("00", "08", 8),
      UmlGetConfig("00", "28", 40),
      UmlGetConfig("00", "2c", 44),
      UmlGetConfig("00", "38", 56),
      UmlGetConfig("00", "0c", 12),
      {5, 0x9, "010000000000000000e0e93c00000000" + Zeros(56), 1, IndexOf<SetMemTable>(), kAck},
      {13, 0x9, kU64Zero, 1, IndexOf<SetVringCall>(), kAck},
      {8, 0x9, "0000000000010000", 0, IndexOf<SetVringNum>(), kAck},
      {10, 0x9, kU64Zero, 0, IndexOf<SetVringBase>(), kAck},
      {9, 0x9, "00000000000000000040123d00000000" + Zeros(24), 0, IndexOf<SetVringAddr>(), kAck},
      {13, 0x9, "0100000000000000", 1, IndexOf<SetVringCall>(), kAck},
      {8, 0x9, "0100000000010000", 0, IndexOf<SetVringNum>(), kAck},
      {10, 0x9, "0100000000000000", 0, IndexOf<SetVringBase>(), kAck},
      {9, 0x9, "01000000000000000080123d00000000" + Zeros(24), 0, IndexOf<SetVringAddr>(), kAck},
      {12, 0x9, kU64Zero, 1, IndexOf<SetVringKick>(), kAck},
      {18, 0x9, "0000000001000000", 0, IndexOf<SetVringEnable>(), kAck},
      {12, 0x9, "0100000000000000", 1, IndexOf<SetVringKick>(), kAck},
      {18, 0x9, "0100000001000000", 0, IndexOf<SetVringEnable>(), kAck},
      UmlGetConfig("00", "04", 4),
  });
}

}  // namespace
}  // namespace sealane::vhost_user
