// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace sealane {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));
static_assert(std::atomic<uint32_t>::is_always_lock_free);

// FUTEX_WAIT_BITSET takes the deadline as a time of CLOCK_MONOTONIC, which steady_clock is.
timespec ToTimespec(std::chrono::steady_clock::time_point deadline) {
  const auto since = std::max(deadline.time_since_epoch(), std::chrono::nanoseconds(0));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {.tv_sec = static_cast<time_t>(seconds.count()),
          .tv_nsec = static_cast<long>((since - seconds).count())};
}

}  // namespace

void FutexWait(const std::atomic<uint32_t>& word, uint32_t expected,
               std::chrono::steady_clock::time_point deadline) {
  const timespec until = ToTimespec(deadline);
  ::syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, &until, nullptr,
            FUTEX_BITSET_MATCH_ANY);
}

void FutexWakeOne(const std::atomic<uint32_t>* word) {
  ::syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

}  // namespace sealane
