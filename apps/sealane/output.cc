// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace sealane::cli {

CommandResult<void> WriteOut(std::string_view text) {
  while (!text.empty()) {
    const ssize_t num = write(STDOUT_FILENO, text.data(), text.size());
    if (num >= 0) {
      text.remove_prefix(static_cast<size_t>(num));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EPIPE) return CommandError{kExitOk, ""};
    return Failed(
        fmt::format("cannot write to standard output: {}", std::system_category().message(errno)));
  }
  return {};
}

bool OutputIsTerminal() { return isatty(STDOUT_FILENO) == 1; }

}  // namespace sealane::cli
