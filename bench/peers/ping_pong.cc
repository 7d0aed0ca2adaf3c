// SPDX-License-Identifier: Apache-2.0
#include "ping_pong.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <thread>

#include "sealane/base/unique_fd.h"
#include "thread_control.h"

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

void Echo(int fd, unsigned core) {
  PinThread(core);
  char byte = 0;
  while (::read(fd, &byte, 1) == 1 && ::write(fd, &byte, 1) == 1) {
  }
}

}  // namespace

Result<double> RunPingPong(unsigned other_core, double seconds) {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) {
    return Error{ErrorCode::kSystem, "socketpair"};
  }
  UniqueFd near(fds[0]);
  const UniqueFd far(fds[1]);
  std::thread echo(Echo, far.get(), other_core);
  const auto start = Clock::now();
  double elapsed = 0;
  uint64_t trips = 0;
  char byte = 0;
  while (elapsed < seconds && ::write(near.get(), &byte, 1) == 1 &&
         ::read(near.get(), &byte, 1) == 1) {
    ++trips;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  near.reset();
  echo.join();
  if (elapsed < seconds) return Error{ErrorCode::kSystem, "a socket pair does not work"};
  return static_cast<double>(trips) / elapsed;
}

}  // namespace sealane::bench
