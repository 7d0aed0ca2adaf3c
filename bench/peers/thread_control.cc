// SPDX-License-Identifier: Apache-2.0
#include "thread_control.h"

#include <sched.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <charconv>
#include <filesystem>
#include <fstream>

namespace sealane::bench {

std::vector<ThreadInfo> ThreadsOf(pid_t process) {
  std::vector<ThreadInfo> threads;
  std::error_code error;
  const std::filesystem::path folder = "/proc/" + std::to_string(process) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    ThreadInfo thread;
    const std::string id = entry.path().filename();
    std::from_chars(id.data(), id.data() + id.size(), thread.id);
    std::ifstream comm(entry.path() / "comm");
    std::getline(comm, thread.name);
    threads.push_back(std::move(thread));
  }
  return threads;
}

bool PinThread(unsigned core) { return PinThread(0, core); }

bool PinThread(pid_t thread, unsigned core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return ::sched_setaffinity(thread, sizeof set, &set) == 0;
}

bool SetIdleClass(pid_t thread, bool idle) {
  const sched_param none{};
  return ::sched_setscheduler(thread, idle ? SCHED_IDLE : SCHED_OTHER, &none) == 0;
}

std::optional<HeldThreads> HeldThreads::Hold(const std::vector<pid_t>& threads) {
  HeldThreads held;
  for (const pid_t thread : threads) {
    if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) return std::nullopt;
    held.held_.push_back(thread);
    if (::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0) return std::nullopt;
    int status = 0;
    if (::waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status)) return std::nullopt;
  }
  return held;
}

HeldThreads::~HeldThreads() {
  for (const pid_t thread : held_) ::ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
}

}  // namespace sealane::bench
