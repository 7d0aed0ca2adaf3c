// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sealane/base/event_fd.h"
#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

using std::chrono::milliseconds;

class ListenerTest : public testing::Test {
 protected:
  ListenerTest() {
    std::string pattern = testing::TempDir() + "/sealane-XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ + "/s.sock";
  }
  ~ListenerTest() override { std::filesystem::remove_all(folder_); }

  bool Exists() const { return std::filesystem::exists(std::filesystem::symlink_status(path_)); }

  // Leaves a socket file that nobody listens on, as a killed process does.
  void LeaveStaleSocket() const {
    const UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path_.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path_.data(), path_.size());
    // SAFETY: the socket calls take every address family through this type.
    ASSERT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  static void ExpectError(const Result<Listener>& listener, ErrorCode code, const char* what) {
    ASSERT_FALSE(listener.has_value());
    EXPECT_EQ(listener.error().code, code);
    EXPECT_STREQ(listener.error().what, what);
  }

  std::string folder_;
  std::string path_;
};

TEST_F(ListenerTest, Listen_NewPath_AcceptsAFrontEnd) {
  auto listener = Listener::Listen(path_);
  ASSERT_TRUE(listener.has_value()) << listener.error().what;
  auto front_end = ConnectToPath(path_, milliseconds(1000));
  ASSERT_TRUE(front_end.has_value());
  auto accepted = listener->Accept(-1);
  ASSERT_TRUE(accepted.has_value() && accepted->has_value());
  EXPECT_NE(::fcntl((*accepted)->fd(), F_GETFD) & FD_CLOEXEC, 0);
  const wire::vhost_user_header header{.request = 3, .flags = 1, .size = 0};
  ASSERT_TRUE(front_end->Send(header, {}, {}, {}).has_value());
  const auto message = (*accepted)->Receive({});
  ASSERT_TRUE(message.has_value() && message->has_value());
  EXPECT_EQ((*message)->header.request, 3U);
}

TEST_F(ListenerTest, Listen_WithAnOpenUmask_IsStillForThisUserOnly) {
  const mode_t before = ::umask(0);
  const auto listener = Listener::Listen(path_);
  ::umask(before);
  ASSERT_TRUE(listener.has_value());
  struct stat info{};
  ASSERT_EQ(::lstat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777U, 0600U);
}

TEST_F(ListenerTest, Listen_StaleSocket_IsReplaced) {
  LeaveStaleSocket();
  ASSERT_TRUE(Exists());
  const auto listener = Listener::Listen(path_);
  ASSERT_TRUE(listener.has_value()) << listener.error().what;
  EXPECT_TRUE(ConnectToPath(path_, milliseconds(1000)).has_value());
}

TEST_F(ListenerTest, Listen_SocketInUse_IsRefused) {
  const auto first = Listener::Listen(path_);
  ASSERT_TRUE(first.has_value());
  ExpectError(Listener::Listen(path_), ErrorCode::kInvalid,
              "somebody listens on the socket path already");
  EXPECT_TRUE(ConnectToPath(path_, milliseconds(1000)).has_value());
}

TEST_F(ListenerTest, Listen_OtherFile_IsLeftAlone) {
  constexpr char kRule[] = "the socket path is a file of another kind";
  std::ofstream(path_) << "precious";
  ExpectError(Listener::Listen(path_), ErrorCode::kInvalid, kRule);
  EXPECT_EQ(std::filesystem::file_size(path_), 8U);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  ExpectError(Listener::Listen(path_), ErrorCode::kInvalid, kRule);
  std::filesystem::remove(path_);
  std::filesystem::create_symlink("elsewhere", path_);
  ExpectError(Listener::Listen(path_), ErrorCode::kInvalid, kRule);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
}

TEST_F(ListenerTest, Listen_PathTooLong_IsRefused) {
  const std::string longest = folder_ + "/" + std::string(107 - folder_.size() - 1, 'x');
  EXPECT_TRUE(Listener::Listen(longest).has_value());
  ExpectError(Listener::Listen(longest + "x"), ErrorCode::kInvalid,
              "socket path too long (107 bytes at most)");
}

TEST_F(ListenerTest, Listen_EmptyPath_IsRefused) {
  ExpectError(Listener::Listen(""), ErrorCode::kInvalid, "not a socket path");
  ExpectError(Listener::Listen(std::string("\0abstract", 9)), ErrorCode::kInvalid,
              "not a socket path");
}

TEST_F(ListenerTest, Listen_NoSuchFolder_IsASystemError) {
  const auto listener = Listener::Listen(folder_ + "/missing/s.sock");
  ASSERT_FALSE(listener.has_value());
  EXPECT_EQ(listener.error().code, ErrorCode::kSystem);
  EXPECT_EQ(listener.error().sys_errno, ENOENT);
}

TEST_F(ListenerTest, Destruction_RemovesTheFile) {
  {
    auto listener = Listener::Listen(path_);
    ASSERT_TRUE(listener.has_value());
    const Listener moved(std::move(*listener));
    EXPECT_TRUE(Exists());
  }
  EXPECT_FALSE(Exists());
}

TEST_F(ListenerTest, Destruction_LeavesAFileThatTookItsPlace) {
  {
    const auto listener = Listener::Listen(path_);
    ASSERT_TRUE(listener.has_value());
    // The old file stays, under another name, so that its inode number is not used again.
    std::filesystem::rename(path_, folder_ + "/old.sock");
    LeaveStaleSocket();
  }
  EXPECT_TRUE(Exists());
}

TEST_F(ListenerTest, Accept_WakeUp_GivesNothing) {
  auto listener = Listener::Listen(path_);
  ASSERT_TRUE(listener.has_value());
  const auto wake = EventFd::Create();
  ASSERT_TRUE(wake.has_value());
  wake->Signal();
  const auto accepted = listener->Accept(wake->fd());
  ASSERT_TRUE(accepted.has_value());
  EXPECT_FALSE(accepted->has_value());
}

TEST_F(ListenerTest, AdoptFd_ListeningSocket_IsAListenerThatKeepsItsFile) {
  const auto owner = Listener::Listen(path_);
  ASSERT_TRUE(owner.has_value());
  {
    auto adopted = AdoptFd(UniqueFd(::dup(owner->fd())));
    ASSERT_TRUE(adopted.has_value()) << adopted.error().what;
    auto* const listener = std::get_if<Listener>(&*adopted);
    ASSERT_NE(listener, nullptr);
    EXPECT_NE(::fcntl(listener->fd(), F_GETFD) & FD_CLOEXEC, 0);
    const auto front_end = ConnectToPath(path_, milliseconds(1000));
    ASSERT_TRUE(front_end.has_value());
    const auto accepted = listener->Accept(-1);
    EXPECT_TRUE(accepted.has_value() && accepted->has_value());
  }
  EXPECT_TRUE(Exists());
}

TEST_F(ListenerTest, AdoptFd_ConnectedSocket_IsAConnection) {
  auto [ours, peer] = MakeSocketPair();
  const auto adopted = AdoptFd(std::move(ours));
  ASSERT_TRUE(adopted.has_value()) << adopted.error().what;
  EXPECT_TRUE(std::holds_alternative<Connection>(*adopted));
}

TEST_F(ListenerTest, AdoptFd_SocketThatIsNeither_IsRefused) {
  const auto adopted = AdoptFd(UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  ASSERT_FALSE(adopted.has_value());
  EXPECT_STREQ(adopted.error().what, "a socket that is neither listening nor connected");
}

TEST_F(ListenerTest, AdoptFd_OtherDescriptors_AreRefused) {
  EXPECT_FALSE(AdoptFd(UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC))).has_value());
  EXPECT_FALSE(AdoptFd(UniqueFd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0))).has_value());
  EXPECT_FALSE(AdoptFd(UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))).has_value());
  EXPECT_FALSE(AdoptFd(UniqueFd()).has_value());
}

TEST_F(ListenerTest, ConnectToPath_NobodyThere_IsASystemError) {
  const auto missing = ConnectToPath(path_, milliseconds(100));
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().sys_errno, ENOENT);
  LeaveStaleSocket();
  const auto stale = ConnectToPath(path_, milliseconds(100));
  ASSERT_FALSE(stale.has_value());
  EXPECT_EQ(stale.error().sys_errno, ECONNREFUSED);
}

TEST_F(ListenerTest, ConnectToPath_NobodyAccepts_TimesOut) {
  const auto listener = Listener::Listen(path_);
  ASSERT_TRUE(listener.has_value());
  std::vector<Connection> waiting;
  Error error;
  for (int i = 0; i < 64; ++i) {
    auto connection = ConnectToPath(path_, milliseconds(50));
    if (!connection) {
      error = connection.error();
      break;
    }
    waiting.push_back(std::move(*connection));
  }
  EXPECT_EQ(error.code, ErrorCode::kTimeout) << error.what;
}

}  // namespace
}  // namespace sealane::vhost_user
