// SPDX-License-Identifier: Apache-2.0
//
// The command `sealane bench`: the experiments that this project answers, each with its baselines
// in the same run. Main thread.
#pragma once

#include <cstdint>
#include <string>

#include "command_result.h"
#include "device_option.h"
#include "engine_bench.h"

namespace sealane::cli {

struct ControlBenchOptions {
  DeviceOption device;
  std::string workers = "1,8";
  uint32_t rounds = 5;
  double seconds = 0.3;
  uint32_t poll_us = 0;
  bool json = false;
};

struct BenchOptions {
  ControlBenchOptions control;
  EngineBenchOptions engine;
};

CLI::App& AddBenchCommand(CLI::App& app, BenchOptions& options);

// The one that was asked for.
CommandResult<void> RunBench(const CLI::App& bench, const BenchOptions& options);

}  // namespace sealane::cli
