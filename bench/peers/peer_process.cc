// SPDX-License-Identifier: Apache-2.0
#include "peer_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "sealane/base/check.h"

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStartLimit{20};
constexpr std::chrono::milliseconds kSettling{200};  // until it has made its threads

std::string ReadFile(const std::string& path) {
  const std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

PeerProcess::PeerProcess(PeerCommand command) : command_(std::move(command)) {
  std::string pattern = std::filesystem::temp_directory_path() / "sealane-peer.XXXXXX";
  SL_CHECK(::mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  socket_path_ = folder_ + "/socket";
  for (std::string& word : command_.words) {
    const size_t at = word.find("{socket}");
    if (at != std::string::npos) word.replace(at, 8, socket_path_);
  }
  pid_ = ::fork();
  SL_CHECK(pid_ >= 0);
  if (pid_ == 0) RunChild();
  const auto end = Clock::now() + kStartLimit;
  while (!ok_ && Clock::now() < end) {
    if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ok_ = std::filesystem::exists(socket_path_);
  }
  std::this_thread::sleep_for(kSettling);
  RememberHomes();
  ::kill(pid_, SIGSTOP);
}

void PeerProcess::RunChild() const {
  // A peer that polls must not outlive a benchmark that was killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  std::vector<std::string> words = command_.words;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

void PeerProcess::RememberHomes() {
  for (const ThreadInfo& thread : ThreadsOf(pid_)) {
    Home home{
        .thread = thread.id,
        .spins = std::ranges::find(command_.spinners, thread.name) != command_.spinners.end()};
    ::sched_getaffinity(thread.id, sizeof home.cores, &home.cores);
    homes_.push_back(home);
  }
}

PeerProcess::~PeerProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string PeerProcess::Log() const { return ReadFile(folder_ + "/log"); }

double PeerProcess::CpuSeconds() const {
  // Behind the name, which ends with the last parenthesis: utime and stime are fields 14 and 15.
  const std::string all = ReadFile("/proc/" + std::to_string(pid_) + "/stat");
  const size_t name_end = all.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(all.substr(name_end + 2));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

PeerTurn::PeerTurn(PeerProcess& peer, const Placement& placement) : peer_(peer) {
  ::kill(peer_.pid_, SIGCONT);
  ok_ = Place(placement);
}

// Spinners stand from here on, wherever they are; else all threads are on the turn's core.
bool PeerTurn::Place(const Placement& placement) {
  std::vector<pid_t> stand;
  for (const PeerProcess::Home& home : peer_.homes_) {
    if (placement.core && !PinThread(home.thread, *placement.core)) return false;
    if (!home.spins) continue;
    if (placement.spinners == Spinners::kStand) stand.push_back(home.thread);
    if (placement.spinners == Spinners::kIdle && !SetIdleClass(home.thread, true)) return false;
  }
  held_ = HeldThreads::Hold(stand);
  return held_.has_value();
}

PeerTurn::~PeerTurn() {
  held_.reset();
  for (const PeerProcess::Home& home : peer_.homes_) {
    ::sched_setaffinity(home.thread, sizeof home.cores, &home.cores);
    if (home.spins) SetIdleClass(home.thread, false);
  }
  ::kill(peer_.pid_, SIGSTOP);
}

}  // namespace sealane::bench
