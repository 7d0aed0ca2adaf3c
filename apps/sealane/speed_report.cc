// SPDX-License-Identifier: Apache-2.0
#include "speed_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

namespace sealane::cli {
namespace {

constexpr double kMib = 1024.0 * 1024.0;

// As speed.c's value2human: strictly greater, so that exactly 1024 bytes are "1024.00 B".
std::string Scaled(double value) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (value > 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

nlohmann::ordered_json OrNull(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string SpeedHeader(const Cipher& cipher) {
  std::string name(cipher.name);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format("Testing {} cipher:\n", name);
}

std::string SpeedLineStart(size_t size) {
  return fmt::format("\tEncrypting in chunks of {} bytes: ", size);
}

std::string SpeedLineEnd(const SpeedResult& result) {
  const double size = static_cast<double>(result.size);
  std::string text =
      fmt::format("done. {} in {:.2f} secs: {}/sec ({} packets)\n",
                  Scaled(size * static_cast<double>(result.device.ops)), result.device.seconds,
                  Scaled(size * result.device.ops_per_s()), result.device.ops);
  if (result.evp_ops_per_s && result.ratio_evp) {
    text += fmt::format("\t  EVP in this process: {}/sec, device to EVP: {:.3f}\n",
                        Scaled(size * *result.evp_ops_per_s), *result.ratio_evp);
  }
  return text;
}

std::string SpeedJson(std::string_view device, const Cipher& cipher, uint32_t depth,
                      std::span<const SpeedResult> results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SpeedResult& result : results) {
    nlohmann::ordered_json row;
    row["size"] = result.size;
    row["seconds"] = result.device.seconds;
    row["ops"] = result.device.ops;
    row["ops_per_s"] = result.device.ops_per_s();
    row["mib_per_s"] = static_cast<double>(result.size) * result.device.ops_per_s() / kMib;
    row["evp_ops_per_s"] = OrNull(result.evp_ops_per_s);
    row["ratio_evp"] = OrNull(result.ratio_evp);
    rows.push_back(std::move(row));
  }
  nlohmann::ordered_json report;
  report["device"] = device;
  report["algo"] = cipher.name;
  report["depth"] = depth;
  report["results"] = std::move(rows);
  return report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sealane::cli
