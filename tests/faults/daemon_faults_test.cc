// SPDX-License-Identifier: Apache-2.0
//
// A real sealaned against front-ends that misbehave, and the conventions of vhost-user back-end
// programs.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "sealane/base/unique_fd.h"
#include "sealane/driver/crypto_driver.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/testing/daemon_process.h"
#include "sealane/vhost_user/listener.h"
#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane {
namespace {

using testing::DaemonProcess;
using namespace std::chrono_literals;

std::string g_program;  // set by main

UniqueFd ConnectRaw(const std::string& path) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, std::begin(address.sun_path));
  // SAFETY: the way the sockets interface takes addresses.
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  EXPECT_EQ(::connect(fd.get(), generic, sizeof address), 0);
  return fd;
}

void SendHeader(const UniqueFd& fd, const wire::vhost_user_header& header) {
  EXPECT_EQ(::send(fd.get(), &header, sizeof header, MSG_NOSIGNAL),
            static_cast<ssize_t>(sizeof header));
}

// Whether the daemon closed its end.
bool IsClosedByPeer(const UniqueFd& fd) {
  timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::array<char, 64> bytes;
  return ::recv(fd.get(), bytes.data(), bytes.size(), 0) == 0;
}

bool HasRealSession(const std::string& socket) {
  auto transport = driver::VhostUserTransport::Connect(socket, {});
  if (!transport.has_value()) return false;
  auto crypto = driver::CryptoDriver::Create(std::move(*transport), {});
  if (!crypto.has_value()) return false;
  const std::array<uint8_t, 16> key{1};
  return (*crypto)
      ->CreateSession({.algorithm = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
                       .direction = driver::Operation::kEncrypt,
                       .key = key})
      .has_value();
}

ptrdiff_t NumLines(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(Daemon, MalformedMessage_ConnectionClosedOneLineLoggedNextOneServed) {
  DaemonProcess daemon(g_program, {});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  const std::array<wire::vhost_user_header, 4> kBad = {{
      {.request = 1, .flags = 2, .size = 0},           // an unknown version
      {.request = 1, .flags = 1, .size = 0xffffffff},  // a payload of 4 GiB
      {.request = 1, .flags = 5, .size = 0},           // a reply
      {.request = 3, .flags = 1, .size = 8},           // cut off: the payload never comes
  }};
  for (const auto& header : kBad) {
    const ptrdiff_t lines = NumLines(daemon.Log());
    UniqueFd peer = ConnectRaw(daemon.socket_path());
    SendHeader(peer, header);
    ::shutdown(peer.get(), SHUT_WR);
    EXPECT_TRUE(IsClosedByPeer(peer)) << header.flags;
    peer.reset();
    EXPECT_TRUE(HasRealSession(daemon.socket_path()));
    EXPECT_GE(NumLines(daemon.Log()), lines + 1);
  }
  EXPECT_FALSE(daemon.WaitForExit(0ms).has_value());
}

TEST(Daemon, MalformedMessageWithOnce_ExitsWithAnError) {
  DaemonProcess daemon(g_program, {"--once"});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  const UniqueFd peer = ConnectRaw(daemon.socket_path());
  SendHeader(peer, {.request = 1, .flags = 2, .size = 0});
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1);
}

TEST(Daemon, Once_FrontEndLeaves_ExitsWell) {
  DaemonProcess daemon(g_program, {"--once"});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  EXPECT_TRUE(HasRealSession(daemon.socket_path()));
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(*status, 0);
  EXPECT_NE(daemon.Log().find("queue 0: requests=0 "), std::string::npos) << daemon.Log();
  EXPECT_NE(daemon.Log().find("control: requests=1 "), std::string::npos) << daemon.Log();
}

TEST(Daemon, Sigterm_ExitsAtOnceWithItsSummary) {
  DaemonProcess daemon(g_program, {});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  const UniqueFd peer = ConnectRaw(daemon.socket_path());
  SendHeader(peer, {.request = wire::VHOST_USER_GET_FEATURES, .flags = 1, .size = 0});
  std::array<char, 20> reply;
  EXPECT_EQ(::recv(peer.get(), reply.data(), reply.size(), MSG_WAITALL), 20);
  daemon.Signal(SIGTERM);
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(*status, 0);
  EXPECT_NE(daemon.Log().find("queue 0: requests=0 bytes=0 errors=0"), std::string::npos);
  EXPECT_NE(::access(daemon.socket_path().c_str(), F_OK), 0) << "the socket file stays behind";
}

TEST(Daemon, MemoryVanishes_OneLineAndAnExit) {
  DaemonProcess daemon(g_program, {"--mode=cryptodev"});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  auto connection = vhost_user::ConnectToPath(daemon.socket_path(), 5s);
  ASSERT_TRUE(connection.has_value());
  constexpr uint64_t kSize = 1 << 20;
  const UniqueFd memory(::memfd_create("guest", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(memory.get(), kSize), 0);
  const auto send = [&](uint32_t request, const auto& payload, std::vector<int> fds) {
    // SAFETY: message payloads are plain integers.
    const auto* bytes = reinterpret_cast<const uint8_t*>(&payload);
    const auto sent = connection->Send({.request = request, .flags = 1, .size = sizeof payload},
                                       {bytes, sizeof payload}, fds, {});
    EXPECT_TRUE(sent.has_value());
  };
  const struct {
    wire::vhost_user_memory_header header;
    wire::vhost_user_memory_region region;
  } table{{1, 0},
          {.guest_phys_addr = 0, .memory_size = kSize, .userspace_addr = 0, .mmap_offset = 0}};
  send(wire::VHOST_USER_SET_MEM_TABLE, table, {memory.get()});
  send(wire::VHOST_USER_SET_VRING_NUM, wire::vhost_vring_state{0, 64}, {});
  const wire::vhost_vring_addr addr{.index = 0,
                                    .flags = 0,
                                    .desc_user_addr = 0x10000,
                                    .used_user_addr = 0x20000,
                                    .avail_user_addr = 0x30000,
                                    .log_guest_addr = 0};
  send(wire::VHOST_USER_SET_VRING_ADDR, addr, {});
  // An answer shows that the memory is mapped by now.
  EXPECT_TRUE(
      connection
          ->Send({.request = wire::VHOST_USER_GET_FEATURES, .flags = 1, .size = 0}, {}, {}, {})
          .has_value());
  EXPECT_TRUE(connection->Receive({}).has_value());
  ASSERT_EQ(::ftruncate(memory.get(), 0), 0);
  const EventFd kick = EventFd::Create().value();
  send(wire::VHOST_USER_SET_VRING_KICK, uint64_t{0}, {kick.fd()});
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1);
  EXPECT_NE(daemon.Log().find("guest memory vanished"), std::string::npos) << daemon.Log();
  EXPECT_EQ(NumLines(daemon.Log()), 1);
}

TEST(Daemon, Socket_IsPrivate_StaleOneReplaced_LiveOneRespected) {
  DaemonProcess first(g_program, {});
  ASSERT_TRUE(first.ok());
  struct stat info{};
  ASSERT_EQ(::stat(first.socket_path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_FALSE(vhost_user::Listener::Listen(first.socket_path()).has_value());
  first.Signal(SIGKILL);
  ASSERT_TRUE(first.WaitForExit(10s).has_value());
  EXPECT_TRUE(vhost_user::Listener::Listen(first.socket_path()).has_value());
}

TEST(Daemon, Reconnect_ServesAgainWithinASecond) {
  DaemonProcess daemon(g_program, {});
  ASSERT_TRUE(daemon.ok());
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(HasRealSession(daemon.socket_path()));
    // The machine may be busy; a daemon that waited for something would take its five seconds.
    EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
  }
}

}  // namespace
}  // namespace sealane

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  sealane::g_program = argv[1];
  return RUN_ALL_TESTS();
}
