// SPDX-License-Identifier: Apache-2.0
#include "peer_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "sealane/base/check.h"

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

double TicksToSeconds(double ticks) { return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)); }

}  // namespace

void PinThread(unsigned core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core % std::thread::hardware_concurrency(), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

double BusySeconds() {
  std::ifstream stat("/proc/stat");
  std::string word;
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal (proc(5))
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  return TicksToSeconds(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]);
}

PeerProcess::PeerProcess(std::vector<std::string> words, unsigned core) {
  std::string pattern = std::filesystem::temp_directory_path() / "sealane-peer.XXXXXX";
  SL_CHECK(::mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  socket_path_ = folder_ + "/socket";
  for (std::string& word : words) {
    const size_t at = word.find("{socket}");
    if (at != std::string::npos) word.replace(at, 8, socket_path_);
  }
  pid_ = ::fork();
  SL_CHECK(pid_ >= 0);
  if (pid_ == 0) RunChild(words, core);
  const auto end = Clock::now() + std::chrono::seconds(20);
  while (!ok_ && Clock::now() < end && ::waitpid(pid_, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ok_ = std::filesystem::exists(socket_path_);
  }
}

void PeerProcess::RunChild(std::vector<std::string>& words, unsigned core) const {
  PinThread(core);
  const int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

PeerProcess::~PeerProcess() {
  if (ok_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void PeerProcess::Pause() const { ::kill(pid_, SIGSTOP); }

void PeerProcess::Resume() const { ::kill(pid_, SIGCONT); }

double PeerProcess::CpuSeconds() const {
  std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
  std::stringstream text;
  text << stat.rdbuf();
  // Behind the name, which ends with the last parenthesis: utime and stime are fields 14 and 15.
  const std::string all = text.str();
  const size_t name_end = all.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(all.substr(name_end + 2));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return TicksToSeconds(user + system);
}

}  // namespace sealane::bench
