// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

#include "bench_command.h"
#include "command_result.h"
#include "info_command.h"
#include "run_command.h"
#include "speed_command.h"

namespace sealane::cli {
namespace {

int Report(const CommandError& error) {
  if (!error.message.empty()) fmt::print(stderr, "sealane: {}\n", error.message);
  return error.exit_code;
}

int ParseAndRun(int argc, char** argv) {
  CLI::App app("Drive a virtio-crypto device from user space.", "sealane");
  app.set_version_flag("--version", "sealane " SEALANE_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  SpeedOptions speed_options;
  DeviceOption run_options;
  InfoOptions info_options;
  BenchOptions bench_options;
  const CLI::App& speed = AddSpeedCommand(app, speed_options);
  const CLI::App& run = AddRunCommand(app, run_options);
  AddInfoCommand(app, info_options);
  const CLI::App& bench = AddBenchCommand(app, bench_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help or --version
    return Report(WrongUsage(fmt::format("{} (see sealane --help)", error.what())));
  }
  const CommandResult<void> result = speed.parsed()   ? RunSpeed(speed_options)
                                     : run.parsed()   ? RunRequests(run_options)
                                     : bench.parsed() ? RunBench(bench, bench_options)
                                                      : RunInfo(info_options);
  return result ? kExitOk : Report(result.error());
}

}  // namespace
}  // namespace sealane::cli

int main(int argc, char** argv) {
  // A reader that went away is noticed where we write.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return sealane::cli::ParseAndRun(argc, argv);
  } catch (const std::exception& error) {
    // The libraries for options and JSON throw when memory is short.
    std::fprintf(stderr, "sealane: %s\n", error.what());
    return sealane::cli::kExitFailure;
  }
}
