// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

namespace sealane::bench {

PeerCommand DpdkCommand(const std::string& program) {
  // The main thread has the program's name, of which the system keeps 15 characters.
  const std::string main_thread = std::filesystem::path(program).filename().string().substr(0, 15);
  return {.words = {program, "-l", "0,1", "--no-huge", "-m", "256", "--no-pci", "--file-prefix",
                    fmt::format("sealane{}", ::getpid()), "--log-level=4", "--vdev",
                    "crypto_aesni_mb0", "--", "--socket-file", "1,{socket}", "--config", "(1,0,0)"},
          .spinners = {main_thread, "rte-worker-1"}};
}

PeerCommand SealanedCommand(const std::string& program) {
  return {.words = {program, "--socket-path={socket}"}, .spinners = {}};
}

}  // namespace sealane::bench
