// SPDX-License-Identifier: Apache-2.0
#include "engine_bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "bench_rounds.h"
#include "engine_report.h"
#include "number_options.h"
#include "output.h"

namespace sealane::cli {
namespace {

constexpr size_t kMaxChunk = size_t{1} << 20;
constexpr size_t kMaxMemory = size_t{64} << 20;  // the payloads of all jobs of a cell
constexpr double kMinSeconds = 0.001;
constexpr double kMaxSeconds = 60;

std::string CheckSeconds(const std::string& text) {
  return CheckNumber(text, kMinSeconds, kMaxSeconds);
}

CommandResult<void> CheckMemory(const EngineCell& cell) {
  if (cell.chunk * cell.num_submitters * cell.in_flight <= kMaxMemory) return {};
  return WrongUsage(fmt::format("--chunks: {} submitters with {} jobs of {} bytes are over {} MiB",
                                cell.num_submitters, cell.in_flight, cell.chunk, kMaxMemory >> 20));
}

// One cell for each table, still without its algorithms, in the order in which they are shown.
CommandResult<std::vector<EngineCell>> MakeTables(const EngineBenchOptions& options) {
  constexpr NumberRange kChunks{.min = 16, .max = kMaxChunk, .step = 16};
  constexpr NumberRange kSubmitters{.min = 1, .max = CompletionThread::kMaxSubmitters, .step = 1};
  constexpr NumberRange kInFlight{.min = 1, .max = BenchSubmitter::kMaxJobs, .step = 1};
  SL_ASSIGN_OR_RETURN(const auto chunks, ParseNumbers("--chunks", options.chunks, kChunks));
  SL_ASSIGN_OR_RETURN(const auto submitters,
                      ParseNumbers("--submitters", options.submitters, kSubmitters));
  SL_ASSIGN_OR_RETURN(const auto depths, ParseNumbers("--in-flight", options.in_flight, kInFlight));
  std::vector<EngineCell> tables;
  tables.reserve(chunks.size() * submitters.size() * depths.size());
  for (const size_t chunk : chunks) {
    for (const size_t num_submitters : submitters) {
      for (const size_t in_flight : depths) {
        tables.push_back({.chunk = chunk,
                          .num_submitters = static_cast<unsigned>(num_submitters),
                          .in_flight = static_cast<unsigned>(in_flight)});
      }
    }
  }
  for (const EngineCell& cell : tables) SL_RETURN_IF_ERROR(CheckMemory(cell));
  return tables;
}

// One round of one variant.
struct Turns {
  EngineTurn enc;
  EngineTurn dec;
};
using Round = std::array<Turns, kNumEngineVariants>;

double CpuPct(const Turns& turns) {
  return 100 * (turns.enc.cpu_seconds + turns.dec.cpu_seconds) /
         (turns.enc.seconds + turns.dec.seconds);
}

template <class Figure>
double MedianOf(const std::vector<Round>& all, const Rounds& rounds, const Figure& figure) {
  std::vector<double> values;
  values.reserve(rounds.kept.size());
  for (const size_t i : rounds.kept) values.push_back(figure(all[i]));
  return Median(std::move(values));
}

// Nothing if in some round nothing was done at all.
std::optional<double> MedianRatio(const std::vector<Round>& all, const Rounds& rounds,
                                  size_t variant, EngineTurn Turns::* direction) {
  std::vector<double> ratios;
  for (const size_t i : rounds.kept) {
    const double base = (all[i][0].*direction).mib_per_s;
    if (base <= 0) return std::nullopt;
    ratios.push_back((all[i][variant].*direction).mib_per_s / base);
  }
  return Median(std::move(ratios));
}

EngineRow MakeRow(const std::vector<Round>& all, const Rounds& rounds, size_t variant) {
  return {
      .enc_mib_s = MedianOf(all, rounds, [&](const Round& r) { return r[variant].enc.mib_per_s; }),
      .dec_mib_s = MedianOf(all, rounds, [&](const Round& r) { return r[variant].dec.mib_per_s; }),
      .cpu_pct = MedianOf(all, rounds, [&](const Round& r) { return CpuPct(r[variant]); }),
      .ratio_enc = MedianRatio(all, rounds, variant, &Turns::enc),
      .ratio_dec = MedianRatio(all, rounds, variant, &Turns::dec)};
}

CommandResult<EngineResult> Measure(const EngineCell& cell, const EngineBenchOptions& options) {
  SL_ASSIGN_OR_RETURN(EngineLoad encryption, EngineLoad::Create(cell, Direction::kEncrypt));
  SL_ASSIGN_OR_RETURN(EngineLoad decryption, EngineLoad::Create(cell, Direction::kDecrypt));
  std::vector<Round> all;
  const auto round = [&](size_t index) -> CommandResult<void> {
    Round turns;
    for (size_t i = 0; i < kNumEngineVariants; ++i) {
      const size_t variant = (index + i) % kNumEngineVariants;  // another one begins each time
      SL_ASSIGN_OR_RETURN(turns[variant].enc,
                          encryption.Run(kEngineVariants[variant], options.seconds));
      SL_ASSIGN_OR_RETURN(turns[variant].dec,
                          decryption.Run(kEngineVariants[variant], options.seconds));
    }
    all.push_back(turns);
    return {};
  };
  SL_ASSIGN_OR_RETURN(const Rounds rounds, RunRounds(options.rounds, round));
  EngineResult result{.cell = cell,
                      .rows = {},
                      .num_rounds = rounds.kept.size(),
                      .num_dropped = rounds.num_dropped,
                      .keeps_disturbed = rounds.keeps_disturbed};
  for (size_t i = 0; i < kNumEngineVariants; ++i) result.rows.push_back(MakeRow(all, rounds, i));
  if (options.latency) {
    SL_ASSIGN_OR_RETURN(result.latencies,
                        encryption.MeasureLatencies(kLatencyVariant, options.seconds));
  }
  return result;
}

}  // namespace

CLI::App& AddEngineBench(CLI::App& bench, EngineBenchOptions& options) {
  CLI::App& command = *bench.add_subcommand(
      "engine", "Measure locks and completions of the queue in front of a serial engine");
  const auto add_list = [&](const char* name, std::string& value, const char* what) {
    command.add_option(name, value, what)->type_name("LIST")->capture_default_str();
  };
  add_list("--chunks", options.chunks, "Bytes of a job, several numbers with commas");
  add_list("--submitters", options.submitters, "Threads that bring jobs");
  add_list("--in-flight", options.in_flight,
           "Jobs that each of them has on their way, and that the engine has at once");
  command.add_option("--rounds", options.rounds, "Rounds, in which each variant has a turn")
      ->check(CLI::Range(1U, 1000U).description(""))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seconds", options.seconds, "How long a turn is, in each direction")
      ->check(CheckSeconds)
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--latency", options.latency,
                   "Also show where the jobs' time went: waiting, in the engine, all of it");
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  return command;
}

CommandResult<void> RunEngineBench(const EngineBenchOptions& options) {
  SL_ASSIGN_OR_RETURN(const std::vector<EngineCell> tables, MakeTables(options));
  if (!options.json) SL_RETURN_IF_ERROR(WriteOut(EngineHeader()));
  std::vector<EngineResult> all;
  for (EngineCell cell : tables) {
    const size_t first = all.size();
    for (const BenchAlgorithm& algorithm : kBenchAlgorithms) {
      cell.algorithm = &algorithm;
      SL_ASSIGN_OR_RETURN(EngineResult result, Measure(cell, options));
      all.push_back(std::move(result));
    }
    if (!options.json) SL_RETURN_IF_ERROR(WriteOut(EngineText(std::span(all).subspan(first))));
  }
  return options.json ? WriteOut(EngineJson(all)) : CommandResult<void>();
}

}  // namespace sealane::cli
