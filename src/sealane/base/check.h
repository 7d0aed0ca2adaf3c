// SPDX-License-Identifier: Apache-2.0
//
// SL_CHECK: ends the process on a bug of our own, in every build. Never reachable from what a peer
// sends.
#pragma once

namespace sealane {

[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace sealane

#define SL_CHECK(condition)                                   \
  do {                                                        \
    if (!(condition)) [[unlikely]]                            \
      ::sealane::CheckFailed(#condition, __FILE__, __LINE__); \
  } while (false)
