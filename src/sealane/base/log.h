// SPDX-License-Identifier: Apache-2.0
//
// The log: lines on standard error, "sealaned: warning: text". Never called per request. Any
// thread. A peer can provoke the same line again and again, so lines about peers go through a
// RateLimit.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace sealane {

enum class LogLevel : uint8_t { kError, kWarning, kInfo, kDebug };

// Lines above `level` are dropped. Default: kInfo.
void SetLogLevel(LogLevel level);

// The word that starts every line; a string literal. Default: "sealane".
void SetLogName(const char* name);

void Log(LogLevel level, std::string_view text);

// Lets `burst` lines through in each second. The first line after a pause says how many were
// dropped.
class RateLimit {
 public:
  explicit RateLimit(uint32_t burst = 5) : burst_(burst) {}
  void Log(LogLevel level, std::string_view text);

 private:
  const uint32_t burst_;
  std::atomic<int64_t> second_{0};
  std::atomic<uint32_t> count_{0};
};

}  // namespace sealane
