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
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "daemon_program.h"
#include "sealane/base/unique_fd.h"
#include "sealane/driver/crypto_driver.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/testing/daemon_process.h"
#include "sealane/vhost_user/listener.h"
#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane {
namespace {

using faults::ConnectToDaemon;
using faults::Ended;
using faults::g_program;
using faults::PlainDaemon;
using testing::DaemonProcess;
using vhost_user::Connection;
using namespace std::chrono_literals;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "sealaned.XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, std::begin(address.sun_path));
  return address;
}

void SendHeader(const Connection& peer, const wire::vhost_user_header& header) {
  EXPECT_EQ(::send(peer.fd(), &header, sizeof header, MSG_NOSIGNAL),
            static_cast<ssize_t>(sizeof header));
}

bool AnswersFeatures(const Connection& peer) {
  SendHeader(peer, {.request = wire::VHOST_USER_GET_FEATURES, .flags = 1, .size = 0});
  timeval patience{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(peer.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::array<char, 20> reply;
  return ::recv(peer.fd(), reply.data(), reply.size(), MSG_WAITALL) == 20;
}

// Whether the daemon closed its end.
bool IsClosedByPeer(const Connection& peer) {
  timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(peer.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::array<char, 64> bytes;
  return ::recv(peer.fd(), bytes.data(), bytes.size(), 0) == 0;
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

bool ServesWithin(const std::string& socket, std::chrono::seconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (HasRealSession(socket)) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

size_t NumOccurrences(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
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
  size_t num_bad = 0;
  for (const auto& header : kBad) {
    const ptrdiff_t lines = NumLines(daemon.Log());
    std::optional<Connection> peer = ConnectToDaemon(daemon.socket_path());
    SendHeader(*peer, header);
    ::shutdown(peer->fd(), SHUT_WR);
    EXPECT_TRUE(IsClosedByPeer(*peer)) << header.flags;
    peer.reset();
    EXPECT_TRUE(HasRealSession(daemon.socket_path()));
    EXPECT_GE(NumLines(daemon.Log()), lines + 1);
    ++num_bad;
    EXPECT_EQ(NumOccurrences(daemon.Log(), "connection closed"), num_bad);
  }
  EXPECT_FALSE(daemon.WaitForExit(0ms).has_value());
}

TEST(Daemon, MalformedMessageWithOnce_ExitsWithAnError) {
  DaemonProcess daemon(g_program, {"--once"});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  const Connection peer = ConnectToDaemon(daemon.socket_path());
  SendHeader(peer, {.request = 1, .flags = 2, .size = 0});
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1);
}

TEST(Daemon, Once_FrontEndLeaves_ExitsWell) {
  DaemonProcess daemon(g_program, {"--once"});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  EXPECT_TRUE(ServesWithin(daemon.socket_path(), 20s));
  const auto status = daemon.WaitForExit(10s);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(*status, 0);
  EXPECT_NE(daemon.Log().find("queue 0: requests=0 "), std::string::npos) << daemon.Log();
  EXPECT_NE(daemon.Log().find("control: requests=1 "), std::string::npos) << daemon.Log();
}

TEST(Daemon, Sigterm_ExitsAtOnceWithItsSummary) {
  DaemonProcess daemon(g_program, {});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  const Connection peer = ConnectToDaemon(daemon.socket_path());
  SendHeader(peer, {.request = wire::VHOST_USER_GET_FEATURES, .flags = 1, .size = 0});
  std::array<char, 20> reply;
  EXPECT_EQ(::recv(peer.fd(), reply.data(), reply.size(), MSG_WAITALL), 20);
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
  Connection connection = ConnectToDaemon(daemon.socket_path());
  constexpr uint64_t kSize = 1 << 20;
  const UniqueFd memory(::memfd_create("guest", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(memory.get(), kSize), 0);
  const auto send = [&](uint32_t request, const auto& payload, std::vector<int> fds) {
    // SAFETY: message payloads are plain integers.
    const auto* bytes = reinterpret_cast<const uint8_t*>(&payload);
    const auto sent = connection.Send({.request = request, .flags = 1, .size = sizeof payload},
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
      connection.Send({.request = wire::VHOST_USER_GET_FEATURES, .flags = 1, .size = 0}, {}, {}, {})
          .has_value());
  EXPECT_TRUE(connection.Receive({}).has_value());
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
  ASSERT_TRUE(ServesWithin(first.socket_path(), 20s));
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
  ASSERT_TRUE(ServesWithin(daemon.socket_path(), 20s));
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(HasRealSession(daemon.socket_path()));
    // The machine may be busy; a daemon that waited for something would take its five seconds.
    EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
  }
}

// A socketpair's end as --fd: one front-end, then the end.
TEST(Daemon, ConnectedDescriptor_IsServedAndEndsWithItsFrontEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  std::optional<Connection> ours{UniqueFd(ends[0])};
  UniqueFd theirs(ends[1]);
  PlainDaemon daemon({"--fd=3"}, theirs.get());
  theirs.reset();
  EXPECT_TRUE(AnswersFeatures(*ours));
  ours.reset();
  const Ended ended = daemon.WaitForEnd();
  EXPECT_EQ(ended.exit_code, 0) << ended.log;
  EXPECT_NE(ended.log.find("queue 0: requests=0"), std::string::npos) << ended.log;
}

TEST(Daemon, ListeningDescriptor_ServesOneFrontEndAfterTheOther) {
  const TemporaryFolder folder;
  auto listener = vhost_user::Listener::Listen(folder.path() + "/socket");
  ASSERT_TRUE(listener.has_value());
  PlainDaemon daemon({"--fd=3"}, listener->fd());
  for (int i = 0; i < 3; ++i) {
    const Connection peer = ConnectToDaemon(folder.path() + "/socket");
    EXPECT_TRUE(AnswersFeatures(peer));
  }
}

TEST(Daemon, DescriptorThatIsNoSocket_IsAnErrorAtOnce) {
  for (const int fd : {-1, ::memfd_create("file", MFD_CLOEXEC)}) {
    PlainDaemon daemon({"--fd=3"}, fd);
    const Ended ended = daemon.WaitForEnd();
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_NE(ended.log.find("cannot use descriptor 3"), std::string::npos) << ended.log;
    if (fd >= 0) ::close(fd);
  }
}

TEST(Daemon, SecondOneOnTheSamePath_IsRefusedAndTheFirstServesOn) {
  DaemonProcess first(g_program, {});
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(ServesWithin(first.socket_path(), 20s));
  PlainDaemon second({"--socket-path=" + first.socket_path()}, -1);
  const Ended ended = second.WaitForEnd();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(NumLines(ended.log), 1) << ended.log;
  EXPECT_TRUE(HasRealSession(first.socket_path()));
}

TEST(Daemon, StaleSocket_IsReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/socket";
  {
    // Bound, never removed, and nobody listens any more.
    const UniqueFd dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = AddressOf(path);
    // SAFETY: the way the sockets interface takes addresses.
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    ASSERT_EQ(::bind(dead.get(), generic, sizeof address), 0);
  }
  const PlainDaemon daemon({"--socket-path=" + path}, -1);
  EXPECT_TRUE(ServesWithin(path, 20s));
}

TEST(Daemon, FileThatIsNoSocket_IsKeptAndAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  std::ofstream(path) << "precious";
  PlainDaemon daemon({"--socket-path=" + path}, -1);
  EXPECT_EQ(daemon.WaitForEnd().exit_code, 1);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "precious");
}

TEST(Daemon, SocketPathAndDescriptorTogether_OrNeither_IsAUsageError) {
  PlainDaemon both({"--socket-path=socket", "--fd=3"}, -1);
  EXPECT_EQ(both.WaitForEnd().exit_code, 2);
  PlainDaemon neither({}, -1);
  EXPECT_EQ(neither.WaitForEnd().exit_code, 2);
}

}  // namespace
}  // namespace sealane
