// SPDX-License-Identifier: Apache-2.0
//
// DaemonProcess: a sealaned of a test's own, as a child process with its socket in a new folder.
// The destructor ends it and removes the folder. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sealane::testing {

class DaemonProcess {
 public:
  // Runs `program` with --socket-path and `arguments` added, its standard error into a file. Waits
  // until the socket is there; see ok().
  DaemonProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  bool ok() const { return ok_; }
  const std::string& socket_path() const { return socket_path_; }
  pid_t pid() const { return pid_; }

  void Signal(int signal) const;

  // The wait status (see wait(2)) once it has ended; nothing if it is still there after `timeout`.
  std::optional<int> WaitForExit(std::chrono::milliseconds timeout);

  // What it has written to standard error so far.
  std::string Log() const;

 private:
  [[noreturn]] void RunChild(const std::string& program,
                             const std::vector<std::string>& arguments) const;

  std::string folder_;
  std::string socket_path_;
  std::string log_path_;
  pid_t pid_ = -1;
  std::optional<int> status_;
  bool ok_ = false;
};

}  // namespace sealane::testing
