// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sealane {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "sealane: check failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace sealane
