// SPDX-License-Identifier: Apache-2.0
//
// Where threads run and whether they do, of this process and of its children: sched_setaffinity(2),
// SCHED_IDLE, ptrace(2). Functions and a guard; one thread, which is also the one that may use what
// it holds.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace sealane::bench {

struct ThreadInfo {
  pid_t id = -1;
  std::string name;
};

// Empty if there is no such process (any more).
std::vector<ThreadInfo> ThreadsOf(pid_t process);

// The calling thread on one core, and another thread. False: the system refused.
bool PinThread(unsigned core);
bool PinThread(pid_t thread, unsigned core);

// Runs only when its core has nothing else to do (SCHED_IDLE), or as usual again.
bool SetIdleClass(pid_t thread, bool idle);

// Threads of children that stand still, in ptrace-stop, until this goes. Others of the same process
// run on, which SIGSTOP cannot do.
class HeldThreads {
 public:
  // Nothing, and nobody held, if one of them cannot be.
  static std::optional<HeldThreads> Hold(const std::vector<pid_t>& threads);
  HeldThreads(HeldThreads&& other) noexcept { held_.swap(other.held_); }
  HeldThreads& operator=(HeldThreads&& other) noexcept {
    held_.swap(other.held_);
    return *this;
  }
  ~HeldThreads();

 private:
  HeldThreads() = default;

  std::vector<pid_t> held_;
};

}  // namespace sealane::bench
