// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/connection.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <thread>

#include "sealane/base/event_fd.h"
#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

using std::chrono::milliseconds;

// SET_OWNER, and SET_FEATURES with its payload.
constexpr char kOwner[] = "030000000100000000000000";
constexpr char kFeatures[] = "0200000001000000080000008877665544332211";

size_t CountOpenFds() {
  const std::filesystem::directory_iterator fds("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(fds), end(fds)));
}

UniqueFd MakeFile() { return UniqueFd(::memfd_create("sealane_test", MFD_CLOEXEC)); }

ino_t InodeOf(int fd) {
  struct stat info{};
  EXPECT_EQ(::fstat(fd, &info), 0);
  return info.st_ino;
}

class ConnectionTest : public testing::Test {
 protected:
  ConnectionTest() {
    auto [ours, peer] = MakeSocketPair();
    connection_.emplace(std::move(ours));
    peer_ = std::move(peer);
  }

  void PeerSends(std::span<const uint8_t> bytes, std::span<const int> fds = {}) {
    std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    iovec part{.iov_base = copy.data(), .iov_len = copy.size()};
    std::vector<uint8_t> control(CMSG_SPACE(fds.size_bytes()));
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!fds.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* const header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(fds.size_bytes());
      std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
    }
    ASSERT_EQ(::sendmsg(peer_.get(), &message, MSG_NOSIGNAL), static_cast<ssize_t>(copy.size()));
  }
  void PeerSendsHex(const char* hex, std::span<const int> fds = {}) {
    PeerSends(FromHex(hex), fds);
  }

  static WaitLimits Within(milliseconds time) {
    return {.wake_fd = -1, .deadline = std::chrono::steady_clock::now() + time};
  }

  RawMessage MustReceive() {
    auto message = connection_->Receive(Within(milliseconds(5000)));
    EXPECT_TRUE(message.has_value()) << message.error().what;
    if (!message || !message->has_value()) return {};
    return std::move(**message);
  }

  void ExpectFailure(ErrorCode code) {
    const auto message = connection_->Receive(Within(milliseconds(5000)));
    ASSERT_FALSE(message.has_value());
    EXPECT_EQ(message.error().code, code) << message.error().what;
  }

  std::optional<Connection> connection_;
  UniqueFd peer_;
};

TEST_F(ConnectionTest, Receive_MessageWithoutPayload_Arrives) {
  PeerSendsHex(kOwner);
  const RawMessage message = MustReceive();
  EXPECT_EQ(message.header.request, 3U);
  EXPECT_EQ(message.header.flags, 1U);
  EXPECT_EQ(message.payload.size(), 0U);
  EXPECT_TRUE(message.fds.empty());
}

TEST_F(ConnectionTest, Receive_TwoMessagesInOnePiece_ArriveOneByOne) {
  PeerSendsHex(
      "02000000010000000800000088776655443322110300000001000000"
      "00000000");
  const RawMessage first = MustReceive();
  EXPECT_EQ(HexEncode(first.payload.bytes()), "8877665544332211");
  EXPECT_EQ(MustReceive().header.request, 3U);
}

TEST_F(ConnectionTest, Receive_ByteByByte_Arrives) {
  std::thread peer([this] {
    for (const uint8_t byte : FromHex(kFeatures)) {
      PeerSends({&byte, 1});
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  const RawMessage message = MustReceive();
  peer.join();
  EXPECT_EQ(message.header.request, 2U);
  EXPECT_EQ(HexEncode(message.payload.bytes()), "8877665544332211");
}

TEST_F(ConnectionTest, Receive_Descriptors_AreTheSendersAndClosedOnExec) {
  const UniqueFd first = MakeFile();
  const UniqueFd second = MakeFile();
  PeerSendsHex(kFeatures, std::array{first.get(), second.get()});
  const RawMessage message = MustReceive();
  ASSERT_EQ(message.fds.size(), 2U);
  EXPECT_EQ(InodeOf(message.fds[0].get()), InodeOf(first.get()));
  EXPECT_EQ(InodeOf(message.fds[1].get()), InodeOf(second.get()));
  EXPECT_NE(::fcntl(message.fds[0].get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(ConnectionTest, Receive_DescriptorWithTheFirstByteOnly_Arrives) {
  const UniqueFd file = MakeFile();
  const std::vector<uint8_t> bytes = FromHex(kFeatures);
  PeerSends(std::span(bytes).first(1), std::array{file.get()});
  PeerSends(std::span(bytes).subspan(1));
  EXPECT_EQ(MustReceive().fds.size(), 1U);
}

TEST_F(ConnectionTest, Receive_EightDescriptors_Arrive) {
  const UniqueFd file = MakeFile();
  PeerSendsHex(kOwner, std::vector<int>(8, file.get()));
  EXPECT_EQ(MustReceive().fds.size(), 8U);
}

TEST_F(ConnectionTest, Receive_NineDescriptors_AreAllClosed) {
  const UniqueFd file = MakeFile();
  const size_t before = CountOpenFds();
  PeerSendsHex(kOwner, std::vector<int>(9, file.get()));
  ExpectFailure(ErrorCode::kBroken);
  EXPECT_EQ(CountOpenFds(), before);
}

TEST_F(ConnectionTest, Receive_NineDescriptorsInTwoPieces_AreAllClosed) {
  const UniqueFd file = MakeFile();
  const size_t before = CountOpenFds();
  const std::vector<uint8_t> bytes = FromHex(kOwner);
  PeerSends(std::span(bytes).first(4), std::vector<int>(5, file.get()));
  PeerSends(std::span(bytes).subspan(4), std::vector<int>(4, file.get()));
  ExpectFailure(ErrorCode::kBroken);
  EXPECT_EQ(CountOpenFds(), before);
}

TEST_F(ConnectionTest, Receive_DescriptorBehindTheHeader_IsRefused) {
  const UniqueFd file = MakeFile();
  const size_t before = CountOpenFds();
  const std::vector<uint8_t> bytes = FromHex(kFeatures);
  PeerSends(std::span(bytes).first(12));
  PeerSends(std::span(bytes).subspan(12), std::array{file.get()});
  ExpectFailure(ErrorCode::kBroken);
  EXPECT_EQ(CountOpenFds(), before);
}

TEST_F(ConnectionTest, Receive_WithNoDescriptorLeft_IsRefused) {
  const UniqueFd file = MakeFile();
  PeerSendsHex(kOwner, std::array{file.get()});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // Not 0, since poll(2) refuses more entries than the limit. All that it allows are in use.
  const rlimit two{.rlim_cur = 2, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &two), 0);
  const auto message = connection_->Receive(Within(milliseconds(5000)));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(message.has_value());
  EXPECT_EQ(message.error().code, ErrorCode::kBroken) << message.error().what;
}

TEST_F(ConnectionTest, Receive_HugeSize_IsRefusedAtTheHeader) {
  PeerSendsHex("020000000100000001100000");
  ExpectFailure(ErrorCode::kBroken);
}

TEST_F(ConnectionTest, Receive_LargestSize_Arrives) {
  PeerSendsHex("1a0000000100000000100000");
  PeerSends(std::vector<uint8_t>(4096, 0x42));
  EXPECT_EQ(MustReceive().payload.size(), 4096U);
}

TEST_F(ConnectionTest, Receive_PeerLeftBetweenMessages_IsClosed) {
  PeerSendsHex(kOwner);
  peer_.reset();
  MustReceive();
  ExpectFailure(ErrorCode::kClosed);
}

TEST_F(ConnectionTest, Receive_PeerLeftInsideAMessage_IsBroken) {
  const std::vector<uint8_t> bytes = FromHex(kFeatures);
  for (size_t len = 1; len < bytes.size(); ++len) {
    SCOPED_TRACE(len);
    auto [ours, peer] = MakeSocketPair();
    connection_.emplace(std::move(ours));
    peer_ = std::move(peer);
    PeerSends(std::span(bytes).first(len));
    peer_.reset();
    ExpectFailure(ErrorCode::kBroken);
  }
}

TEST_F(ConnectionTest, Receive_PeerLeftWithOurMessageUnread_IsClosed) {
  ASSERT_TRUE(connection_->Send(ReplyHeader(3, 0), {}, {}, {}).has_value());
  peer_.reset();  // the kernel turns this into ECONNRESET
  ExpectFailure(ErrorCode::kClosed);
}

TEST_F(ConnectionTest, Receive_SilentPeer_TimesOut) {
  const auto message = connection_->Receive(Within(milliseconds(20)));
  ASSERT_FALSE(message.has_value());
  EXPECT_EQ(message.error().code, ErrorCode::kTimeout);
}

TEST_F(ConnectionTest, Receive_PeerSilentInsideAMessage_TimesOut) {
  PeerSendsHex("0200000001000000080000008877");
  const auto message = connection_->Receive(Within(milliseconds(20)));
  ASSERT_FALSE(message.has_value());
  EXPECT_EQ(message.error().code, ErrorCode::kTimeout);
}

TEST_F(ConnectionTest, Receive_WakeUp_EndsTheWait) {
  const auto wake = EventFd::Create();
  ASSERT_TRUE(wake.has_value());
  std::thread waker([&wake] {
    std::this_thread::sleep_for(milliseconds(20));
    wake->Signal();
  });
  const auto message = connection_->Receive({.wake_fd = wake->fd(), .deadline = std::nullopt});
  waker.join();
  ASSERT_TRUE(message.has_value());
  EXPECT_FALSE(message->has_value());
}

TEST_F(ConnectionTest, Receive_WakeUpWithMessagesWaiting_GoesFirst) {
  const auto wake = EventFd::Create();
  ASSERT_TRUE(wake.has_value());
  wake->Signal();
  PeerSendsHex(kOwner);
  const auto message = connection_->Receive({.wake_fd = wake->fd(), .deadline = std::nullopt});
  ASSERT_TRUE(message.has_value());
  EXPECT_FALSE(message->has_value());
}

TEST_F(ConnectionTest, Send_WholeMessage_IsThatOnTheWire) {
  const wire::vhost_user_header header{.request = 2, .flags = 1, .size = 8};
  const auto sent = connection_->Send(header, FromHex("8877665544332211"), {}, {});
  ASSERT_TRUE(sent.has_value());
  EXPECT_TRUE(*sent);
  std::vector<uint8_t> bytes(64);
  const ssize_t num_read = ::recv(peer_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  ASSERT_EQ(num_read, 20);
  bytes.resize(20);
  EXPECT_EQ(HexEncode(bytes), kFeatures);
}

TEST_F(ConnectionTest, Send_Descriptor_Arrives) {
  const UniqueFd file = MakeFile();
  Connection other(std::move(peer_));
  const wire::vhost_user_header header{.request = 12, .flags = 1, .size = 8};
  ASSERT_TRUE(connection_->Send(header, FromHex("0000000000000000"), std::array{file.get()}, {})
                  .has_value());
  const auto message = other.Receive(Within(milliseconds(5000)));
  ASSERT_TRUE(message.has_value() && message->has_value());
  ASSERT_EQ((*message)->fds.size(), 1U);
  EXPECT_EQ(InodeOf((*message)->fds[0].get()), InodeOf(file.get()));
}

TEST_F(ConnectionTest, Send_ToAPeerThatLeft_IsClosed) {
  peer_.reset();
  const auto sent = connection_->Send(ReplyHeader(3, 0), {}, {}, {});
  ASSERT_FALSE(sent.has_value());
  EXPECT_EQ(sent.error().code, ErrorCode::kClosed);
}

TEST_F(ConnectionTest, Send_PayloadOfAnotherSize_IsInvalid) {
  const wire::vhost_user_header header{.request = 2, .flags = 1, .size = 8};
  EXPECT_EQ(connection_->Send(header, std::vector<uint8_t>(7), {}, {}).error().code,
            ErrorCode::kInvalid);
}

TEST_F(ConnectionTest, Send_TooMuch_IsInvalid) {
  const std::vector<uint8_t> payload(kMaxPayloadSize + 1);
  EXPECT_EQ(connection_->Send(ReplyHeader(2, payload.size()), payload, {}, {}).error().code,
            ErrorCode::kInvalid);
  EXPECT_EQ(connection_->Send(ReplyHeader(2, 0), {}, std::vector<int>(9, 0), {}).error().code,
            ErrorCode::kInvalid);
}

TEST_F(ConnectionTest, Send_ToAPeerThatNeverReads_TimesOutOrIsWoken) {
  const std::vector<uint8_t> payload(kMaxPayloadSize);
  const auto header = ReplyHeader(26, payload.size());
  Result<bool> sent = true;
  for (int i = 0; i < 10000 && sent; ++i) {
    sent = connection_->Send(header, payload, {}, Within(milliseconds(50)));
  }
  ASSERT_FALSE(sent.has_value());
  EXPECT_EQ(sent.error().code, ErrorCode::kTimeout);
  const auto wake = EventFd::Create();
  ASSERT_TRUE(wake.has_value());
  wake->Signal();
  sent = connection_->Send(header, payload, {}, {.wake_fd = wake->fd(), .deadline = std::nullopt});
  ASSERT_TRUE(sent.has_value());
  EXPECT_FALSE(*sent);
}

// With something unread in a small send buffer, a large message leaves in several writes.
TEST_F(ConnectionTest, Send_DescriptorWithAMessageInPieces_ArrivesOnce) {
  const int size = 1;
  ASSERT_EQ(::setsockopt(connection_->fd(), SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
  ASSERT_TRUE(connection_->Send(ReplyHeader(3, 0), {}, {}, {}).has_value());
  const UniqueFd file = MakeFile();
  std::thread sender([this, &file] {
    const std::vector<uint8_t> payload(kMaxPayloadSize);
    const auto sent = connection_->Send(ReplyHeader(5, payload.size()), payload,
                                        std::array{file.get()}, Within(milliseconds(5000)));
    EXPECT_TRUE(sent.has_value() && *sent);
  });
  std::this_thread::sleep_for(milliseconds(20));
  Connection other(std::move(peer_));
  EXPECT_TRUE(other.Receive(Within(milliseconds(5000))).has_value());
  const auto message = other.Receive(Within(milliseconds(5000)));
  sender.join();
  ASSERT_TRUE(message.has_value() && message->has_value());
  EXPECT_EQ((*message)->fds.size(), 1U);
}

// A small send buffer and a reader that takes a few bytes at a time make every write partial.
TEST_F(ConnectionTest, Send_ToASlowReader_ArrivesWhole) {
  const int size = 1024;
  ASSERT_EQ(::setsockopt(connection_->fd(), SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
  std::vector<uint8_t> payload(kMaxPayloadSize);
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<uint8_t>(i * 7);
  std::vector<uint8_t> received;
  std::thread reader([this, &received] {
    std::array<uint8_t, 100> part{};
    while (received.size() < 4 * (12 + kMaxPayloadSize)) {
      const ssize_t num_read = ::recv(peer_.get(), part.data(), part.size(), 0);
      if (num_read <= 0) return;
      received.insert(received.end(), part.begin(), part.begin() + num_read);
    }
  });
  for (int i = 0; i < 4; ++i) {
    const auto sent =
        connection_->Send(ReplyHeader(26, payload.size()), payload, {}, Within(milliseconds(5000)));
    EXPECT_TRUE(sent.has_value() && *sent);
  }
  reader.join();
  ASSERT_EQ(received.size(), 4 * (12 + kMaxPayloadSize));
  EXPECT_TRUE(std::ranges::equal(std::span(received).last(kMaxPayloadSize), payload));
}

}  // namespace
}  // namespace sealane::vhost_user
