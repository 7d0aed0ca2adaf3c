// SPDX-License-Identifier: Apache-2.0
#include "engine_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "funclatency.h"

namespace sealane::cli {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string RatioText(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "N/A";
}

std::string Plural(size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string Title(const EngineResult& result) {
  const EngineCell& cell = result.cell;
  return fmt::format("{}, {} in flight each, chunks of {} bytes",
                     Plural(cell.num_submitters, "submitter"), cell.in_flight, cell.chunk);
}

std::string RoundsText(std::span<const EngineResult> algorithms) {
  std::string text;
  for (const EngineResult& result : algorithms) {
    if (result.num_dropped == 0) continue;
    text +=
        fmt::format("#   {} {}b: {} disturbed by other programs {}\n", result.cell.algorithm->name,
                    result.cell.algorithm->key_bits, Plural(result.num_dropped, "round"),
                    result.keeps_disturbed ? "and counted all the same" : "and dropped");
  }
  return text;
}

// The rows are cryptsetup's; what it does not have stands in comments, in the same columns.
std::string VariantText(std::span<const EngineResult> algorithms, size_t variant) {
  std::string text =
      fmt::format("# {}\n#     Algorithm |       Key |      Encryption |      Decryption\n",
                  NameOf(kEngineVariants[variant]));
  for (const EngineResult& result : algorithms) {
    const EngineRow& row = result.rows[variant];
    text += fmt::format("{:>15}  {:>9}b  {:>10.1f} MiB/s  {:>10.1f} MiB/s\n",
                        result.cell.algorithm->name, result.cell.algorithm->key_bits, row.enc_mib_s,
                        row.dec_mib_s);
  }
  for (const EngineResult& result : algorithms) {
    const EngineRow& row = result.rows[variant];
    text += fmt::format("#{:>14}  {:>9}b  {:>10} ratio  {:>10} ratio  {:>5.0f} % CPU\n",
                        result.cell.algorithm->name, result.cell.algorithm->key_bits,
                        RatioText(row.ratio_enc), RatioText(row.ratio_dec), row.cpu_pct);
  }
  return text;
}

Json RowJson(const EngineResult& result, size_t variant) {
  const EngineRow& row = result.rows[variant];
  return {{"algo", result.cell.algorithm->name},
          {"key_bits", result.cell.algorithm->key_bits},
          {"chunk", result.cell.chunk},
          {"submitters", result.cell.num_submitters},
          {"in_flight", result.cell.in_flight},
          {"variant", NameOf(kEngineVariants[variant])},
          {"enc_mib_s", row.enc_mib_s},
          {"dec_mib_s", row.dec_mib_s},
          {"cpu_pct", row.cpu_pct},
          {"ratio_enc", OrNull(row.ratio_enc)},
          {"ratio_dec", OrNull(row.ratio_dec)},
          {"rounds", result.num_rounds},
          {"dropped_rounds", result.num_dropped},
          {"keeps_disturbed", result.keeps_disturbed}};
}

std::string LatencyText(const EngineResult& result) {
  if (!result.latencies) return "";
  const std::string of = fmt::format("{} {}b, {}, encryption", result.cell.algorithm->name,
                                     result.cell.algorithm->key_bits, NameOf(kLatencyVariant));
  return fmt::format("\n# {}: waiting for the engine\n{}", of,
                     Funclatency(result.latencies->wait)) +
         fmt::format("\n# {}: in the engine\n{}", of, Funclatency(result.latencies->service)) +
         fmt::format("\n# {}: from submit to done\n{}", of, Funclatency(result.latencies->total));
}

Json PercentilesJson(const LatencyHistogram& histogram) {
  return {{"p50", histogram.PercentileUs(0.5)},
          {"p99", histogram.PercentileUs(0.99)},
          {"p999", histogram.PercentileUs(0.999)},
          {"max", histogram.max_us()}};
}

Json LatencyJson(const EngineResult& result) {
  return {{"algo", result.cell.algorithm->name},
          {"key_bits", result.cell.algorithm->key_bits},
          {"chunk", result.cell.chunk},
          {"submitters", result.cell.num_submitters},
          {"in_flight", result.cell.in_flight},
          {"variant", NameOf(kLatencyVariant)},
          {"wait_us", PercentilesJson(result.latencies->wait)},
          {"service_us", PercentilesJson(result.latencies->service)},
          {"total_us", PercentilesJson(result.latencies->total)}};
}

}  // namespace

std::string EngineHeader() {
  return "# Tests are approximate using memory only (no storage IO).\n"
         "# A serial engine: one thread that encrypts by OpenSSL, behind the engine queue. The "
         "lock "
         "is around\n"
         "# enqueue and dequeue only. A completion runs on the engine's thread (inline), on a "
         "thread "
         "for\n"
         "# completions (worker), or on the submitter's, which is woken once for several.\n"
         "# Speed is bytes by time, each job counted once. ratio: to spinlock+inline in the same "
         "round, median.\n";
}

std::string EngineText(std::span<const EngineResult> algorithms) {
  if (algorithms.empty()) return "";
  std::string text = fmt::format("\n# {}\n", Title(algorithms.front())) + RoundsText(algorithms);
  for (size_t i = 0; i < kNumEngineVariants; ++i) text += VariantText(algorithms, i);
  for (const EngineResult& result : algorithms) text += LatencyText(result);
  return text;
}

std::string EngineJson(std::span<const EngineResult> all) {
  Json rows = Json::array();
  for (const EngineResult& result : all) {
    for (size_t i = 0; i < kNumEngineVariants; ++i) rows.push_back(RowJson(result, i));
  }
  Json whole{{"rows", std::move(rows)}};
  Json latencies = Json::array();
  for (const EngineResult& result : all) {
    if (result.latencies) latencies.push_back(LatencyJson(result));
  }
  if (!latencies.empty()) whole["latency"] = std::move(latencies);
  return whole.dump() + "\n";
}

}  // namespace sealane::cli
