// SPDX-License-Identifier: Apache-2.0
#include "daemon_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "sealane/vhost_user/listener.h"

namespace sealane::faults {

std::string g_program;

vhost_user::Connection ConnectToDaemon(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (true) {
    auto connection = vhost_user::ConnectToPath(path, std::chrono::seconds(20));
    if (connection.has_value()) return std::move(*connection);
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ADD_FAILURE() << "nobody listens on " << path;
  return vhost_user::Connection(UniqueFd());
}

PlainDaemon::PlainDaemon(const std::vector<std::string>& arguments, int inherited)
    : log_(::memfd_create("log", MFD_CLOEXEC)) {
  std::vector<std::string> words = {g_program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  // dup2 clears CLOEXEC, but not where source and target are the same.
  constexpr int kInherited = 3;
  const int log = ::fcntl(log_.get(), F_DUPFD, 10);
  const int socket = inherited < 0 ? -1 : ::fcntl(inherited, F_DUPFD, 10);
  ::dup2(log, STDERR_FILENO);
  if (socket >= 0) ::dup2(socket, kInherited);
  ::execv(g_program.c_str(), argv.data());
  ::_exit(127);
}

PlainDaemon::~PlainDaemon() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Ended PlainDaemon::WaitForEnd() {
  Ended ended;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (pid_ > 0 && std::chrono::steady_clock::now() < end) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  std::array<char, 4096> text{};
  const ssize_t n = ::pread(log_.get(), text.data(), text.size(), 0);
  if (n > 0) ended.log.assign(text.data(), static_cast<size_t>(n));
  return ended;
}

}  // namespace sealane::faults

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  sealane::faults::g_program = argv[1];
  return RUN_ALL_TESTS();
}
