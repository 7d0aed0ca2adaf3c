// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/daemon_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "sealane/base/check.h"

namespace sealane::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kStartPatience{20};
constexpr std::chrono::milliseconds kPause{2};
constexpr int kCannotRun = 127;

}  // namespace

DaemonProcess::DaemonProcess(const std::string& program,
                             const std::vector<std::string>& arguments) {
  std::string pattern = std::filesystem::temp_directory_path() / "sealaned.XXXXXX";
  SL_CHECK(::mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  socket_path_ = folder_ + "/socket";
  log_path_ = folder_ + "/log";
  pid_ = ::fork();
  SL_CHECK(pid_ >= 0);
  if (pid_ == 0) RunChild(program, arguments);
  const auto end = Clock::now() + kStartPatience;
  while (!ok_ && Clock::now() < end && !WaitForExit(kPause)) {
    ok_ = std::filesystem::exists(socket_path_);
  }
}

void DaemonProcess::RunChild(const std::string& program,
                             const std::vector<std::string>& arguments) const {
  const int log = ::open(log_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(log, STDERR_FILENO);
  std::vector<std::string> words = {program, "--socket-path=" + socket_path_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(kCannotRun);
}

DaemonProcess::~DaemonProcess() {
  if (!status_) {
    Signal(SIGKILL);
    WaitForExit(kStartPatience);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void DaemonProcess::Signal(int signal) const {
  if (!status_) ::kill(pid_, signal);
}

std::optional<int> DaemonProcess::WaitForExit(std::chrono::milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  while (!status_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    if (status_ || Clock::now() >= end) break;
    std::this_thread::sleep_for(kPause);
  }
  return status_;
}

std::string DaemonProcess::Log() const {
  std::ifstream file(log_path_);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sealane::testing
