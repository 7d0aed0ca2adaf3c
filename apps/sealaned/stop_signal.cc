// SPDX-License-Identifier: Apache-2.0
#include "stop_signal.h"

#include <signal.h>
#include <sys/signalfd.h>

namespace sealaned {

sealane::Result<sealane::UniqueFd> CatchStopSignals() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  if (::sigaction(SIGPIPE, &ignore, nullptr) != 0) return sealane::SystemError("sigaction");
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  ::sigaddset(&signals, SIGINT);
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0) {
    return sealane::SystemError("pthread_sigmask");
  }
  sealane::UniqueFd fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.valid()) return sealane::SystemError("signalfd");
  return fd;
}

}  // namespace sealaned
