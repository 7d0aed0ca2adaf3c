// SPDX-License-Identifier: Apache-2.0
//
// PeerProcess: a back-end that is measured, as a child process with its socket in a folder of its
// own. It stands still (SIGSTOP) except while a PeerTurn lives, because some peers spin all the
// time. The destructor ends it. One thread.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "thread_control.h"

namespace sealane::bench {

// What happens to threads that poll all the time, while the back-end has its turn.
enum class Spinners : uint8_t {
  kRun,    // as they are
  kIdle,   // they run when their core has nothing else to do
  kStand,  // they do not run
};

// Where the back-end's threads run in a turn. Without a core: where it put them itself.
struct Placement {
  std::optional<unsigned> core;
  Spinners spinners = Spinners::kRun;
};

struct PeerCommand {
  std::vector<std::string> words;     // "{socket}" in them becomes the socket's path
  std::vector<std::string> spinners;  // names of threads
};

class PeerProcess {
 public:
  // Waits until the socket is there; see ok().
  explicit PeerProcess(PeerCommand command);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  bool ok() const { return ok_; }
  pid_t pid() const { return pid_; }
  const std::string& socket_path() const { return socket_path_; }
  // Processor seconds that it has used; exact to some hundredths.
  double CpuSeconds() const;
  // What it printed.
  std::string Log() const;

 private:
  friend class PeerTurn;

  struct Home {
    pid_t thread = -1;
    bool spins = false;
    cpu_set_t cores{};
  };

  [[noreturn]] void RunChild() const;
  void RememberHomes();

  PeerCommand command_;
  std::string folder_;
  std::string socket_path_;
  std::vector<Home> homes_;  // its threads, and where it put them
  pid_t pid_ = -1;
  bool ok_ = false;
};

// The time in which the back-end runs, placed in some way.
class PeerTurn {
 public:
  PeerTurn(PeerProcess& peer, const Placement& placement);
  ~PeerTurn();
  PeerTurn(const PeerTurn&) = delete;
  PeerTurn& operator=(const PeerTurn&) = delete;

  // Whether the threads are placed as asked.
  bool ok() const { return ok_; }

 private:
  bool Place(const Placement& placement);

  PeerProcess& peer_;
  std::optional<HeldThreads> held_;
  bool ok_ = false;
};

}  // namespace sealane::bench
