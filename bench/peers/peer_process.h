// SPDX-License-Identifier: Apache-2.0
//
// PeerProcess: a back-end that is measured, as a child process on one core, with its socket in a
// folder of its own. Stopped (SIGSTOP) while others are measured, because some peers spin all the
// time. The destructor ends it. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace sealane::bench {

class PeerProcess {
 public:
  // Runs words[0] with the others as arguments; "{socket}" in them becomes the socket's path. Waits
  // until the socket is there; see ok().
  PeerProcess(std::vector<std::string> words, unsigned core);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  bool ok() const { return ok_; }
  const std::string& socket_path() const { return socket_path_; }
  void Pause() const;
  void Resume() const;
  // Processor seconds that it has used; exact to some hundredths.
  double CpuSeconds() const;

 private:
  [[noreturn]] void RunChild(std::vector<std::string>& words, unsigned core) const;

  std::string folder_;
  std::string socket_path_;
  pid_t pid_ = -1;
  bool ok_ = false;
};

// The calling thread on one core.
void PinThread(unsigned core);

// Processor seconds that all processors together have used.
double BusySeconds();

}  // namespace sealane::bench
