// SPDX-License-Identifier: Apache-2.0
//
// For the tests that run a real sealaned: where it is (the test program's argument), and ways to
// start and to reach it. One thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/connection.h"

namespace sealane::faults {

// The path of sealaned; set by main.
extern std::string g_program;

// A connection to a daemon that has just begun: its socket file is there a moment before it
// listens.
vhost_user::Connection ConnectToDaemon(const std::string& path);

// What a sealaned that ended by itself left behind.
struct Ended {
  int exit_code = -1;  // -1: it did not exit by itself
  std::string log;     // its standard error
};

// A sealaned with exactly these arguments, and descriptor `inherited` (-1: none) as its number 3.
// The destructor kills it.
class PlainDaemon {
 public:
  PlainDaemon(const std::vector<std::string>& arguments, int inherited);
  ~PlainDaemon();
  PlainDaemon(const PlainDaemon&) = delete;
  PlainDaemon& operator=(const PlainDaemon&) = delete;

  // Waits, at most 20 seconds.
  Ended WaitForEnd();

 private:
  pid_t pid_ = -1;
  UniqueFd log_;
};

}  // namespace sealane::faults
