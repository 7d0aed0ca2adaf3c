// SPDX-License-Identifier: Apache-2.0
//
// QemuProcess: a QEMU of a test's own, its only processor halted from the first instruction on, so
// that the qtest socket is all that drives its devices. The destructor ends it and removes its
// folder. One thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "guest_ram.h"
#include "qtest_client.h"

namespace sealane::testing {

class QemuProcess {
 public:
  // Whether there is a QEMU to run.
  static bool Installed();

  // Runs QEMU with `ram` as its memory and `device_arguments` for the rest, and connects to it; see
  // client().ok().
  QemuProcess(const GuestRam& ram, const std::vector<std::string>& device_arguments);
  ~QemuProcess();
  QemuProcess(const QemuProcess&) = delete;
  QemuProcess& operator=(const QemuProcess&) = delete;

  QtestClient& client() { return client_; }

  // Whether it has ended within `patience`, by itself.
  bool HasEnded(std::chrono::milliseconds patience);

  // What it has printed so far.
  std::string Log() const;

 private:
  [[noreturn]] void RunChild(const std::vector<std::string>& words) const;
  void ConnectToChild(const std::string& socket_path);

  std::string folder_;
  std::string log_path_;
  pid_t pid_ = -1;
  bool ended_ = false;
  QtestClient client_;
};

}  // namespace sealane::testing
