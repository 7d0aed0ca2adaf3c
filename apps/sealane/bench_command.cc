// SPDX-License-Identifier: Apache-2.0
#include "bench_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "churn_bench.h"
#include "control_bench.h"
#include "control_report.h"
#include "number_options.h"
#include "output.h"

namespace sealane::cli {
namespace {

constexpr size_t kMaxWorkers = 256;

constexpr const char* kAboutControl =
    "Sessions of AES-128-CBC made and closed; an operation is one or the other. Every design has a "
    "device of its own, in turns.\n"
    "  waiting     this driver: each thread waits for its own answer, outside of the lock\n"
    "  mutex       the fair baseline: a mutex held from a request to its answer, polling\n"
    "  spin_yield  a spinlock held so, whose waiters yield\n"
    "  spin        a spinlock held so. In user space its holder is preempted while the others spin "
    "for whole time slices: shown because drivers in kernels do this, not as a rival\n\n";

std::string CheckTurn(const std::string& text) { return CheckNumber(text, 0.01, 60); }

void AddControlBench(CLI::App& bench, ControlBenchOptions& control) {
  CLI::App& command =
      *bench.add_subcommand("control", "Measure how sessions are made and closed by many threads");
  AddDeviceOptions(command, control.device);
  command.add_option("--workers", control.workers, "Threads, several numbers with commas")
      ->type_name("LIST")
      ->capture_default_str();
  command.add_option("--rounds", control.rounds, "Rounds, in which each design has a turn")
      ->check(CLI::Range(1U, 1000U).description(""))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seconds", control.seconds, "How long a turn is")
      ->check(CheckTurn)
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--poll-us", control.poll_us,
                  "Microseconds that a loopback device polls before it sleeps")
      ->check(CLI::Range(0U, 1000000U).description(""))
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--json", control.json, "Print one JSON object instead of text");
}

// What is said before anything is measured.
std::string ControlIntroduction(std::optional<double> socket_us) {
  std::string text = kAboutControl;
  if (socket_us) {
    text += fmt::format(
        "Sessions by message: no more than one in a round trip of the socket, which takes {:.1f} "
        "us between two threads here.\n\n",
        *socket_us);
  }
  return text;
}

ControlPlan MakeControlPlan(const ControlBenchOptions& options) {
  ControlPlan plan{.device = options.device,
                   .designs = {std::begin(kDesigns), std::end(kDesigns)},
                   .num_rounds = options.rounds,
                   .seconds = options.seconds,
                   .device_is_here = options.device.device == "loopback"};
  plan.device.poll = std::chrono::microseconds(options.poll_us);
  // By message there is no control queue to hold a lock over.
  if (options.device.mode == "cryptodev") plan.designs = {DesignKind::kWaiting};
  return plan;
}

CommandResult<void> RunControlBench(const ControlBenchOptions& options) {
  constexpr NumberRange kWorkers{.min = 1, .max = kMaxWorkers};
  SL_ASSIGN_OR_RETURN(const auto workers, ParseNumbers("--workers", options.workers, kWorkers));
  ControlPlan plan = MakeControlPlan(options);
  std::optional<double> socket_us;
  if (options.device.mode == "cryptodev") socket_us = SocketRoundTripUs();
  if (!options.json) SL_RETURN_IF_ERROR(WriteOut(ControlIntroduction(socket_us)));
  std::vector<ControlRounds> all;
  for (const size_t num_workers : workers) {
    plan.num_workers = static_cast<unsigned>(num_workers);
    SL_ASSIGN_OR_RETURN(ControlRounds rounds, MeasureControl(plan));
    if (!options.json) SL_RETURN_IF_ERROR(WriteOut(ControlText(rounds)));
    all.push_back(std::move(rounds));
  }
  SL_ASSIGN_OR_RETURN(const ChurnResult churn,
                      MeasureChurn(plan.device, plan.num_workers, options.rounds, options.seconds));
  return WriteOut(options.json ? ControlJson(all, churn, socket_us) : ChurnText(churn));
}

}  // namespace

CLI::App& AddBenchCommand(CLI::App& app, BenchOptions& options) {
  CLI::App& bench = *app.add_subcommand("bench", "Compare designs, each in the same run");
  bench.require_subcommand(1);
  AddControlBench(bench, options.control);
  AddEngineBench(bench, options.engine);
  return bench;
}

CommandResult<void> RunBench(const CLI::App& bench, const BenchOptions& options) {
  return bench.got_subcommand("engine") ? RunEngineBench(options.engine)
                                        : RunControlBench(options.control);
}

}  // namespace sealane::cli
