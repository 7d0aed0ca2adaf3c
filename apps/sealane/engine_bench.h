// SPDX-License-Identifier: Apache-2.0
//
// The command `sealane bench engine`: a serial engine behind the engine queue, with different locks
// and different places for completions, all in one run. Main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_result.h"
#include "engine_load.h"

namespace CLI {
class App;
}

namespace sealane::cli {

struct EngineBenchOptions {
  std::string chunks = "65536,4096";
  std::string submitters = "1,8";
  std::string in_flight = "1,4";
  uint32_t rounds = 9;
  double seconds = 0.03;
  bool latency = false;
  bool json = false;
};

// Medians over rounds; the ratios are medians of the rounds' ratios to kEngineVariants[0].
struct EngineRow {
  double enc_mib_s = 0;
  double dec_mib_s = 0;
  double cpu_pct = 0;  // of one processor
  std::optional<double> ratio_enc{};
  std::optional<double> ratio_dec{};
};

struct EngineResult {
  EngineCell cell{};
  std::vector<EngineRow> rows;  // one for each of kEngineVariants
  size_t num_rounds = 0;
  unsigned num_dropped = 0;
  bool keeps_disturbed = false;
  std::optional<crypto::QueueLatencies> latencies{};  // of kLatencyVariant, encrypting
};
inline constexpr EngineVariant kLatencyVariant{.lock = crypto::LockKind::kMutex,
                                               .completion = Completion::kSubmitter};

CLI::App& AddEngineBench(CLI::App& bench, EngineBenchOptions& options);

CommandResult<void> RunEngineBench(const EngineBenchOptions& options);

}  // namespace sealane::cli
