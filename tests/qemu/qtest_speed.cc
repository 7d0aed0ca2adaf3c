// SPDX-License-Identifier: Apache-2.0
//
// qtest_speed: QEMU's built-in virtio-crypto device next to sealaned behind cryptodev-vhost-user,
// both driven by the same client over qtest, in turns, so that whatever else the machine does falls
// on both.
//
//   qtest_speed [OPTIONS] SEALANED
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "crypto_vm.h"
#include "pipelined_load.h"
#include "scenario.h"
#include "sealane/testing/daemon_process.h"

namespace sealane::testing {
namespace {

struct Options {
  std::string daemon;
  std::vector<std::string> daemon_arguments;
  LoadShape load;
  unsigned rounds = 5;
  double seconds = 1;
};

// A device that is ready to be loaded.
struct Contender {
  std::string name;
  CryptoVm vm;
  std::optional<PipelinedLoad> load = {};
  std::vector<double> rates = {};

  bool Prepare(const LoadShape& shape);
  bool RunRound(double seconds);
};

bool Contender::Prepare(const LoadShape& shape) {
  if (!vm.Prepare()) {
    fmt::print(stderr, "{}: no device\n{}", name, vm.Log());
    return false;
  }
  if (!PipelinedLoad::Fits(vm.data_ring(), shape)) {
    fmt::print(stderr, "{}: --depth does not fit into a queue of {}\n", name,
               vm.data_ring().size());
    return false;
  }
  Scenario scenario(vm);
  scenario.OpenSession({});
  if (!scenario.has_session()) {
    fmt::print(stderr, "{}: no session\n", name);
    return false;
  }
  load.emplace(vm, scenario.session_id(), shape);
  return true;
}

bool Contender::RunRound(double seconds) {
  const auto rate = load->Run(std::chrono::duration<double>(seconds));
  if (!rate) {
    fmt::print(stderr, "{}: a request failed or never came back\n{}", name, vm.Log());
    return false;
  }
  rates.push_back(*rate);
  return true;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double MibPerSecond(double rate, uint32_t len) { return rate * len / (1 << 20); }

void PrintRow(const std::string& label, double qemu, double ours, uint32_t len) {
  fmt::print("{:<8}{:>14.0f}{:>10.1f}{:>16.0f}{:>10.1f}{:>9.2f}\n", label, qemu,
             MibPerSecond(qemu, len), ours, MibPerSecond(ours, len), ours / qemu);
}

int Run(const Options& options) {
  if (!QemuProcess::Installed()) {
    fmt::print(stderr, "qemu-system-x86_64 is not installed\n");
    return 1;
  }
  const DaemonProcess daemon(options.daemon, options.daemon_arguments);
  if (!daemon.ok()) {
    fmt::print(stderr, "{} does not start\n{}", options.daemon, daemon.Log());
    return 1;
  }
  Contender qemu{.name = "QEMU", .vm = CryptoVm(std::nullopt)};
  Contender ours{.name = "sealaned", .vm = CryptoVm(daemon.socket_path())};
  if (!qemu.Prepare(options.load) || !ours.Prepare(options.load)) return 1;
  fmt::print("AES-128-CBC over qtest: {} bytes, {} outstanding, {} chains, {} s a round\n",
             options.load.len, options.load.depth, options.load.indirect ? "indirect" : "direct",
             options.seconds);
  fmt::print("{:<8}{:>14}{:>10}{:>16}{:>10}{:>9}\n", "round", "QEMU req/s", "MiB/s",
             "sealaned req/s", "MiB/s", "ratio");
  for (unsigned round = 0; round < options.rounds; ++round) {
    if (!qemu.RunRound(options.seconds) || !ours.RunRound(options.seconds)) return 1;
    PrintRow(fmt::to_string(round + 1), qemu.rates.back(), ours.rates.back(), options.load.len);
  }
  PrintRow("median", Median(qemu.rates), Median(ours.rates), options.load.len);
  return 0;
}

}  // namespace
}  // namespace sealane::testing

int main(int argc, char** argv) {
  sealane::testing::Options options;
  CLI::App app(
      "QEMU's built-in virtio-crypto device next to sealaned, same client, same run, in turns.\n"
      "From the project's folder: build/release/tests/qtest_speed build/release/bin/sealaned");
  app.add_option("sealaned", options.daemon, "The daemon's program")->required();
  app.add_option("--daemon-arg", options.daemon_arguments, "Passed on to it; may be repeated");
  app.add_option("--size", options.load.len, "Bytes a request")
      ->check(CLI::Range(16, 65536))
      ->capture_default_str();
  app.add_option("--depth", options.load.depth, "Requests outstanding")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_flag("--indirect", options.load.indirect, "Indirect chains, as Linux makes them");
  app.add_option("--rounds", options.rounds, "Turns")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "Of each turn")
      ->check(CLI::Range(0.05, 60.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (options.load.len % 16 != 0) {
    fmt::print(stderr, "--size: not a multiple of 16\n");
    return 2;
  }
  return sealane::testing::Run(options);
}
