// SPDX-License-Identifier: Apache-2.0
//
// What this process holds in memory, for tests of leaks. Any thread.
#pragma once

#include <cstdint>

namespace sealane::testing {

// Anonymous memory of this process that is in RAM.
uint64_t AnonymousKiB();

}  // namespace sealane::testing
