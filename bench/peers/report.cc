// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace sealane::bench {
namespace {

std::optional<Summary> RatioOf(size_t index, const std::vector<Contender>& contenders,
                               const ContestResult& result) {
  const auto other = std::ranges::find(contenders, contenders[index].versus, &Contender::id);
  if (other == contenders.end()) return std::nullopt;
  const auto other_index = static_cast<size_t>(other - contenders.begin());
  return Summarize(Ratios(result.rates[index], result.rates[other_index]));
}

nlohmann::json ToJson(const Summary& summary) {
  return {{"median", summary.median}, {"min", summary.least}, {"max", summary.greatest}};
}

}  // namespace

void PrintTable(const Report& report, const std::vector<Contender>& contenders,
                const ContestOptions& options, const ContestResult& result) {
  const Machine& machine = report.machine;
  fmt::print("{}\n{}, {} cores, Linux {}; DPDK {}, sealaned {}\n", report.title, machine.cpu,
             machine.cores, machine.kernel, machine.dpdk, machine.sealaned);
  fmt::print("{}\n{} rounds of {} s for each, {} more dropped as disturbed\n\n", report.setting,
             result.kept, options.seconds, result.dropped);
  fmt::print("{:<52}{:>10}{:>20}   {}\n", "", "per second", "least to greatest", "ratio");
  for (size_t i = 0; i < contenders.size(); ++i) {
    const Summary rate = Summarize(result.rates[i]);
    const std::optional<Summary> ratio = RatioOf(i, contenders, result);
    fmt::print("{:<52}{:>10.0f}{:>20}", contenders[i].label, rate.median,
               fmt::format("{:.0f} to {:.0f}", rate.least, rate.greatest));
    if (ratio) {
      fmt::print("   {:.2f} ({:.2f} to {:.2f})", ratio->median, ratio->least, ratio->greatest);
    }
    fmt::print("\n");
  }
  fmt::print("\n");
  for (const std::string& note : report.notes) fmt::print("{}\n", note);
}

void PrintJson(const Report& report, const std::vector<Contender>& contenders,
               const ContestOptions& options, const ContestResult& result) {
  const Machine& machine = report.machine;
  nlohmann::json rows = nlohmann::json::array();
  for (size_t i = 0; i < contenders.size(); ++i) {
    nlohmann::json row = {{"id", contenders[i].id},
                          {"label", contenders[i].label},
                          {"per_s", ToJson(Summarize(result.rates[i]))},
                          {"rounds", result.rates[i]}};
    if (const auto ratio = RatioOf(i, contenders, result)) {
      row["versus"] = contenders[i].versus;
      row["ratio"] = ToJson(*ratio);
    }
    rows.push_back(std::move(row));
  }
  const nlohmann::json all = {
      {"title", report.title},
      {"setting", report.setting},
      {"machine", {{"cpu", machine.cpu}, {"cores", machine.cores}, {"kernel", machine.kernel}}},
      {"versions", {{"dpdk", machine.dpdk}, {"sealaned", machine.sealaned}}},
      {"seconds", options.seconds},
      {"kept", result.kept},
      {"dropped", result.dropped},
      {"rows", rows},
      {"notes", report.notes}};
  fmt::print("{}\n", all.dump(2));
}

}  // namespace sealane::bench
