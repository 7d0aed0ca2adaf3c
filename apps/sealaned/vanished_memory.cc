// SPDX-License-Identifier: Apache-2.0
#include "vanished_memory.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace sealaned {
namespace {

// Only async-signal-safe calls.
void OnSigbus(int /*signal*/) {
  constexpr std::string_view kLine =
      "sealaned: error: guest memory vanished: the front-end truncated its file\n";
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(EXIT_FAILURE);
}

}  // namespace

void ExitWhenMemoryVanishes() {
  struct sigaction action{};
  action.sa_handler = OnSigbus;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace sealaned
