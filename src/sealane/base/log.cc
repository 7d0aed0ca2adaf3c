// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/log.h"

#include <time.h>
#include <unistd.h>

#include <array>
#include <string>

namespace sealane {
namespace {

constexpr std::array<const char*, 4> kLevelNames = {"error", "warning", "info", "debug"};

// Both are set once at start-up; relaxed is enough, no other data hangs on them.
std::atomic<LogLevel> g_level{LogLevel::kInfo};
std::atomic<const char*> g_name{"sealane"};

int64_t NowSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

}  // namespace

void SetLogLevel(LogLevel level) { g_level.store(level, std::memory_order_relaxed); }

void SetLogName(const char* name) { g_name.store(name, std::memory_order_relaxed); }

void Log(LogLevel level, std::string_view text) {
  if (level > g_level.load(std::memory_order_relaxed)) return;
  std::string line = g_name.load(std::memory_order_relaxed);
  line += ": ";
  line += kLevelNames[static_cast<size_t>(level)];
  line += ": ";
  line += text;
  line += '\n';
  // One write, so that lines of several threads do not mix.
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, line.data(), line.size());
}

void RateLimit::Log(LogLevel level, std::string_view text) {
  const int64_t now = NowSeconds();
  if (second_.exchange(now, std::memory_order_relaxed) != now) {
    const uint32_t before = count_.exchange(0, std::memory_order_relaxed);
    if (before > burst_) {
      sealane::Log(level,
                   std::to_string(before - burst_) + " more lines like the next were dropped");
    }
  }
  if (count_.fetch_add(1, std::memory_order_relaxed) < burst_) sealane::Log(level, text);
}

}  // namespace sealane
