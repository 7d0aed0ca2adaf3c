// SPDX-License-Identifier: Apache-2.0
//
// SpinUntil: a short busy wait. Any thread.
#pragma once

#include <chrono>

#include "sealane/base/cpu_relax.h"

namespace sealane::driver {

// Polls until `ready()` or the deadline; returns whether it was ready. The clock is read now and
// then only.
template <class Ready>
bool SpinUntil(const Ready& ready, std::chrono::steady_clock::time_point deadline) {
  constexpr int kPollsPerClock = 16;
  while (true) {
    for (int i = 0; i < kPollsPerClock; ++i) {
      if (ready()) return true;
      CpuRelax();
    }
    if (std::chrono::steady_clock::now() >= deadline) return ready();
  }
}

}  // namespace sealane::driver
