// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/process_memory.h"

#include <fstream>
#include <string>

namespace sealane::testing {

uint64_t AnonymousKiB() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "RssAnon:") continue;
    uint64_t kib = 0;
    status >> kib;
    return kib;
  }
  return 0;
}

}  // namespace sealane::testing
