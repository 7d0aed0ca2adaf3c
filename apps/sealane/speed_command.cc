// SPDX-License-Identifier: Apache-2.0
#include "speed_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <vector>

#include "cpu_affinity.h"
#include "device_load.h"
#include "evp_baseline.h"
#include "number_options.h"
#include "output.h"
#include "speed_report.h"

namespace sealane::cli {
namespace {

using Clock = std::chrono::steady_clock;
using driver::CryptoDriver;

constexpr uint32_t kMaxDepth = 1024;
constexpr double kMinSeconds = 0.001;
constexpr double kMaxSeconds = 3600;
constexpr size_t kMaxSize = size_t{16} << 20;
// Device and EVP take turns, so that both meet the same disturbances.
constexpr size_t kNumRounds = 5;

// What every size is measured with.
struct Bench {
  const Cipher& cipher;
  const SpeedOptions& options;
  CryptoDriver& driver;
  driver::SessionId session;
  std::vector<uint8_t> iv;
  EvpBaseline evp;
};

// Not a secret; the parts of a Triple DES key and the halves of an XTS key differ.
std::vector<uint8_t> MakeBytes(size_t size, uint8_t first) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(first + 7 * i);
  return bytes;
}

std::string CheckSeconds(const std::string& text) {
  return CheckNumber(text, kMinSeconds, kMaxSeconds);
}

CommandResult<size_t> ParseSize(const Cipher& cipher, std::string_view text) {
  size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size() || size == 0 || size > kMaxSize) {
    return WrongUsage(
        fmt::format("--sizes: '{}' is not a number of bytes from 1 to {}", text, kMaxSize));
  }
  if (const auto fault = CheckPayloadLen(cipher, size)) return WrongUsage("--sizes: " + *fault);
  return size;
}

CommandResult<std::vector<size_t>> ParseSizes(const Cipher& cipher, std::string_view text) {
  std::vector<size_t> sizes;
  while (true) {
    const size_t comma = text.find(',');
    SL_ASSIGN_OR_RETURN(const size_t size, ParseSize(cipher, text.substr(0, comma)));
    sizes.push_back(size);
    if (comma == std::string_view::npos) return sizes;
    text.remove_prefix(comma + 1);
  }
}

// The driver on one processor, the workers of a loopback device on another.
CommandResult<std::unique_ptr<CryptoDriver>> OpenPinned(const SpeedOptions& options) {
  const std::vector<size_t> cpus = AllowedCpus();
  if (cpus.size() >= 2) PinThisThread(cpus[1]);
  // Four descriptors a request where the device has no indirect ones, a few more if it splits.
  auto driver =
      OpenDriver(options.device, {.queue_size = std::bit_ceil(std::max(8 * options.depth, 256U)),
                                  .depth = options.depth,
                                  .max_payload = 0});
  if (!cpus.empty()) PinThisThread(cpus[0]);
  return driver;
}

CommandResult<Round> RunEvp(Bench& bench, std::span<uint8_t> data, double seconds) {
  // Often enough for the clock, seldom enough not to count.
  const uint64_t batch = std::clamp<uint64_t>(65536 / data.size(), 1, 256);
  Round round;
  const Clock::time_point start = Clock::now();
  while (round.seconds < seconds) {
    for (uint64_t i = 0; i < batch; ++i) {
      if (!bench.evp.Encrypt(bench.iv, data)) return Failed("OpenSSL failed to encrypt");
    }
    round.ops += batch;
    round.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return round;
}

double Median(std::array<double, kNumRounds> values) {
  std::ranges::sort(values);
  return values[kNumRounds / 2];
}

CommandResult<SpeedResult> MeasureWithEvp(Bench& bench, DeviceLoad& load, size_t size) {
  const double seconds = bench.options.seconds / kNumRounds;
  std::vector<uint8_t> data = MakeBytes(size, 1);
  SpeedResult result{.size = size, .device = {}, .evp_ops_per_s = {}, .ratio_evp = {}};
  Round evp;
  std::array<double, kNumRounds> ratios{};
  for (double& ratio : ratios) {
    SL_ASSIGN_OR_RETURN(const Round device_round, load.Run(seconds));
    SL_ASSIGN_OR_RETURN(const Round evp_round, RunEvp(bench, data, seconds));
    result.device += device_round;
    evp += evp_round;
    ratio = device_round.ops_per_s() / evp_round.ops_per_s();
  }
  result.evp_ops_per_s = evp.ops_per_s();
  result.ratio_evp = Median(ratios);
  return result;
}

CommandResult<SpeedResult> Measure(Bench& bench, size_t size) {
  SL_ASSIGN_OR_RETURN(DeviceLoad load, DeviceLoad::Create(bench.driver, bench.session, bench.iv,
                                                          size, bench.options.depth));
  SL_RETURN_IF_ERROR(load.Verify(bench.evp));
  if (!bench.options.compare.empty()) return MeasureWithEvp(bench, load, size);
  SL_ASSIGN_OR_RETURN(const Round round, load.Run(bench.options.seconds));
  return SpeedResult{.size = size, .device = round, .evp_ops_per_s = {}, .ratio_evp = {}};
}

CommandResult<void> MeasureAll(Bench& bench, std::span<const size_t> sizes) {
  const bool json = bench.options.json;
  const bool progress = !json && OutputIsTerminal();
  if (!json) SL_RETURN_IF_ERROR(WriteOut(SpeedHeader(bench.cipher)));
  std::vector<SpeedResult> results;
  for (const size_t size : sizes) {
    const std::string start = SpeedLineStart(size);
    if (progress) SL_RETURN_IF_ERROR(WriteOut(start));
    SL_ASSIGN_OR_RETURN(const SpeedResult result, Measure(bench, size));
    results.push_back(result);
    const std::string end = SpeedLineEnd(result);
    if (!json) SL_RETURN_IF_ERROR(WriteOut(progress ? end : start + end));
  }
  if (!json) return {};
  return WriteOut(
      SpeedJson(bench.options.device.device, bench.cipher, bench.options.depth, results));
}

CommandResult<void> CheckMaxSize(const CryptoDriver& driver, std::span<const size_t> sizes) {
  const uint64_t max_size = driver.config().max_size;
  const size_t largest = std::ranges::max(sizes);
  if (largest <= max_size) return {};
  return Failed(
      fmt::format("the device takes at most {} bytes a request, not {}", max_size, largest));
}

}  // namespace

CLI::App& AddSpeedCommand(CLI::App& app, SpeedOptions& options) {
  CLI::App& command = *app.add_subcommand("speed", "Measure how fast the device encrypts");
  AddDeviceOptions(command, options.device);
  command
      .add_option("--algo", options.algo,
                  "aes-{128,192,256}-{ecb,cbc,ctr}, aes-{128,256}-xts or 3des-{ecb,cbc,ctr}")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--sizes", options.sizes, "Bytes of one request, separated by commas")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option("--seconds", options.seconds,
                  "How long each size is measured, and as long again for EVP")
      ->check(CheckSeconds)
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--depth", options.depth, "Requests in flight, 1 to 1024")
      ->check(CLI::Range(1U, kMaxDepth).description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--compare", options.compare,
                  "Measure OpenSSL's EVP in this process, in turns with the device")
      ->check(CLI::IsMember({"evp"}).description(""))
      ->type_name("evp");
  command.add_flag("--json", options.json, "Print one JSON object instead of text");
  return command;
}

CommandResult<void> RunSpeed(const SpeedOptions& options) {
  const Cipher* const cipher = FindCipher(options.algo);
  if (cipher == nullptr) {
    return WrongUsage(
        fmt::format("--algo: no cipher {}; there are {}", options.algo, CipherList()));
  }
  SL_ASSIGN_OR_RETURN(const std::vector<size_t> sizes, ParseSizes(*cipher, options.sizes));
  const std::vector<uint8_t> key = MakeBytes(cipher->key_len, 3);
  SL_ASSIGN_OR_RETURN(EvpBaseline evp, EvpBaseline::Create(*cipher, key));
  SL_ASSIGN_OR_RETURN(const auto driver, OpenPinned(options));
  SL_RETURN_IF_ERROR(CheckMaxSize(*driver, sizes));
  const auto session = driver->CreateSession(
      {.algorithm = cipher->algorithm, .direction = driver::Operation::kEncrypt, .key = key});
  if (!session) {
    return Failed(fmt::format("the device made no session for {}: {}", cipher->name,
                              ToString(session.error().status)));
  }
  Bench bench{.cipher = *cipher,
              .options = options,
              .driver = *driver,
              .session = *session,
              .iv = MakeBytes(cipher->iv_len, 5),
              .evp = std::move(evp)};
  return MeasureAll(bench, sizes);
}

}  // namespace sealane::cli
