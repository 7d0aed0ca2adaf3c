// SPDX-License-Identifier: Apache-2.0
#include "control_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "funclatency.h"

namespace sealane::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rounds = std::vector<ControlRound>;

// Of a figure of every round.
double Median(const Rounds& rounds, double ControlRound::* figure) {
  std::vector<double> values;
  for (const ControlRound& round : rounds) values.push_back(round.*figure);
  return MedianOf(std::move(values));
}

// Each round by itself, ours to another.
std::optional<double> Ratio(const ControlRounds& rounds, DesignKind other,
                            double ControlRound::* figure) {
  const auto ours = rounds.designs.find(DesignKind::kWaiting);
  const auto theirs = rounds.designs.find(other);
  if (ours == rounds.designs.end() || theirs == rounds.designs.end()) return std::nullopt;
  std::vector<double> ratios;
  for (size_t i = 0; i < ours->second.size(); ++i) {
    const double divisor = theirs->second[i].*figure;
    if (divisor > 0) ratios.push_back(ours->second[i].*figure / divisor);
  }
  if (ratios.empty()) return std::nullopt;
  return MedianOf(std::move(ratios));
}

LatencyHistogram Merged(const Rounds& rounds) {
  LatencyHistogram merged;
  for (const ControlRound& round : rounds) merged += round.latencies;
  return merged;
}

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json DesignJson(const Rounds& rounds) {
  const LatencyHistogram latencies = Merged(rounds);
  return {{"ops_per_s", Median(rounds, &ControlRound::ops_per_s)},
          {"cpu_us_per_op", Median(rounds, &ControlRound::cpu_us_per_op)},
          {"p50_us", latencies.PercentileUs(0.5)},
          {"p99_us", latencies.PercentileUs(0.99)},
          {"p999_us", latencies.PercentileUs(0.999)},
          {"max_us", latencies.max_us()},
          {"fairness", Median(rounds, &ControlRound::fairness)}};
}

Json WorkersJson(const ControlRounds& rounds) {
  Json designs;
  for (const DesignKind kind : kDesigns) {
    const auto found = rounds.designs.find(kind);
    designs[std::string(NameOf(kind))] =
        found == rounds.designs.end() ? Json(nullptr) : DesignJson(found->second);
  }
  constexpr auto kRate = &ControlRound::ops_per_s;
  constexpr auto kCpu = &ControlRound::cpu_us_per_op;
  const Json ratio = {{"rate_vs_mutex", OrNull(Ratio(rounds, DesignKind::kMutex, kRate))},
                      {"cpu_vs_mutex", OrNull(Ratio(rounds, DesignKind::kMutex, kCpu))},
                      {"rate_vs_spin_yield", OrNull(Ratio(rounds, DesignKind::kSpinYield, kRate))},
                      {"cpu_vs_spin_yield", OrNull(Ratio(rounds, DesignKind::kSpinYield, kCpu))}};
  return {{"n", rounds.num_workers},
          {"designs", designs},
          {"ratio", ratio},
          {"rounds", rounds.batched_pairs_per_s.size()},
          {"dropped_rounds", rounds.num_dropped},
          {"keeps_disturbed", rounds.keeps_disturbed}};
}

double BatchedPairs(const ControlRounds& rounds) { return MedianOf(rounds.batched_pairs_per_s); }

std::string RatioText(const ControlRounds& rounds, DesignKind other) {
  const auto rate = Ratio(rounds, other, &ControlRound::ops_per_s);
  const auto cpu = Ratio(rounds, other, &ControlRound::cpu_us_per_op);
  if (!rate || !cpu) return "";
  return fmt::format("waiting to {}: rate {:.2f}, CPU per operation {:.2f}\n", NameOf(other), *rate,
                     *cpu);
}

std::string RowText(DesignKind kind, const Rounds& rounds) {
  const LatencyHistogram latencies = Merged(rounds);
  return fmt::format("{:<11}{:>10.0f}{:>12.2f}{:>9.1f}{:>9.1f}{:>10.1f}{:>11.1f}{:>10.2f}\n",
                     NameOf(kind), Median(rounds, &ControlRound::ops_per_s),
                     Median(rounds, &ControlRound::cpu_us_per_op), latencies.PercentileUs(0.5),
                     latencies.PercentileUs(0.99), latencies.PercentileUs(0.999),
                     latencies.max_us(), Median(rounds, &ControlRound::fairness));
}

}  // namespace

std::string ControlText(const ControlRounds& rounds) {
  std::string text =
      fmt::format("{} worker{}, {} rounds", rounds.num_workers, rounds.num_workers == 1 ? "" : "s",
                  rounds.batched_pairs_per_s.size());
  if (rounds.num_dropped != 0) {
    text += fmt::format(", {} disturbed by other programs and dropped", rounds.num_dropped);
  }
  if (rounds.keeps_disturbed) {
    text += ", DISTURBED by other programs: the figures below say little";
  }
  text += fmt::format("\n{:<11}{:>10}{:>12}{:>9}{:>9}{:>10}{:>11}{:>10}\n", "design", "ops/s",
                      "CPU us/op", "p50 us", "p99 us", "p99.9 us", "max us", "fairness");
  for (const auto& [kind, one] : rounds.designs) text += RowText(kind, one);
  text += RatioText(rounds, DesignKind::kMutex);
  text += RatioText(rounds, DesignKind::kSpinYield);
  text +=
      fmt::format("batched, one thread: {:.0f} create and close pairs/s\n", BatchedPairs(rounds));
  for (const auto& [kind, one] : rounds.designs) {
    text += fmt::format("\n{}, {} worker{}\n{}", NameOf(kind), rounds.num_workers,
                        rounds.num_workers == 1 ? "" : "s", Funclatency(Merged(one)));
  }
  return text + "\n";
}

std::string ChurnText(const ChurnResult& churn) {
  return fmt::format(
      "A data queue (256 bytes, 64 in flight) while as many threads make and close {:.0f} sessions "
      "a second: {:.0f} requests/s; while they only use the processors: {:.0f}; alone: {:.0f}\n",
      churn.sessions_per_s, churn.churned_ops_per_s, churn.busy_ops_per_s, churn.alone_ops_per_s);
}

std::string ControlJson(std::span<const ControlRounds> all, const ChurnResult& churn,
                        std::optional<double> socket_us) {
  Json workers = Json::array();
  std::vector<double> batched;
  for (const ControlRounds& rounds : all) {
    workers.push_back(WorkersJson(rounds));
    batched.push_back(BatchedPairs(rounds));
  }
  Json whole = {{"workers", workers},
                {"batched_pairs_per_s", MedianOf(std::move(batched))},
                {"data_queue",
                 {{"alone_ops_per_s", churn.alone_ops_per_s},
                  {"churned_ops_per_s", churn.churned_ops_per_s},
                  {"busy_ops_per_s", churn.busy_ops_per_s},
                  {"sessions_per_s", churn.sessions_per_s}}}};
  if (socket_us) whole["socket_round_trip_us"] = *socket_us;
  return whole.dump() + "\n";
}

}  // namespace sealane::cli
