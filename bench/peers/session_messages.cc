// SPDX-License-Identifier: Apache-2.0
//
// Sessions by vhost-user messages 26 and 27, against sealaned and against DPDK's vhost_crypto
// example: pairs of create and close per second, in one run, round by round in turns, beside the
// bare round trip of a UNIX socket. Both back-ends get the same messages (layout L1, the only one
// that DPDK 22.11 reads) from the same front-end code.
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "peer_process.h"
#include "sealane/driver/data_channel.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kDriverCore = 0;
constexpr unsigned kBackendCore = 1;
constexpr int kSkipped = 77;
constexpr double kMaxDisturbance = 0.08;  // of all processors

struct Options {
  std::string sealaned = "build/release/bin/sealaned";
  std::string dpdk = "build/cache/dpdk-peer/build/vhost-crypto";
  unsigned rounds = 9;
  double seconds = 0.4;
  bool json = false;
};

// One contender's rates over the rounds that count.
struct Series {
  std::string name;
  std::vector<double> rates{};
  double cpu = 0;  // of the back-end, seconds over all rounds

  double Median() const {
    std::vector<double> sorted = rates;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

// A connection with its memory shared, and the messages by which it makes and closes sessions.
class Client {
 public:
  static std::unique_ptr<Client> Connect(const std::string& path) {
    auto made = TryConnect(path);
    if (made.has_value()) return std::move(*made);
    fmt::print(stderr, "{}\n", ToString(made.error()));
    return nullptr;
  }

  // Pairs per second, nothing if one is refused.
  std::optional<double> Run(double seconds) {
    driver::SessionMessages& messages = *transport_->messages();
    const auto start = Clock::now();
    const auto end =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    uint64_t pairs = 0;
    while (Clock::now() < end) {
      const auto session = messages.CreateSession(params_);
      if (!session.has_value()) {
        fmt::print(stderr, "a session was refused after {} pairs: {}\n", pairs,
                   ToString(session.error().error));
        return std::nullopt;
      }
      if (!messages.CloseSession(*session).has_value()) return std::nullopt;
      ++pairs;
    }
    return static_cast<double>(pairs) / std::chrono::duration<double>(Clock::now() - start).count();
  }

 private:
  // DPDK takes sessions only once a queue runs, and a queue only runs once it is enabled.
  static Result<std::unique_ptr<Client>> TryConnect(const std::string& path) {
    SL_ASSIGN_OR_RETURN(auto frontend, vhost_user::Frontend::Connect(path));
    vhost_user::Frontend second(vhost_user::Connection(UniqueFd(::dup(frontend.fd()))));
    SL_ASSIGN_OR_RETURN(auto transport,
                        driver::VhostUserTransport::Create(
                            std::move(frontend), {.mode = driver::VhostUserMode::kCryptodev,
                                                  .layout = vhost_user::CryptoLayout::kL1,
                                                  .memory_size = uint64_t{16} << 20}));
    SL_ASSIGN_OR_RETURN(auto channel, driver::DataChannel::Create(*transport, 0, {.depth = 16}));
    SL_RETURN_IF_ERROR(second.SetVringEnable(0, true));
    return std::unique_ptr<Client>(new Client(std::move(transport), std::move(channel)));
  }

  Client(std::unique_ptr<driver::VhostUserTransport> transport,
         std::unique_ptr<driver::DataChannel> channel)
      : transport_(std::move(transport)), channel_(std::move(channel)) {}

  std::unique_ptr<driver::VhostUserTransport> transport_;
  std::unique_ptr<driver::DataChannel> channel_;  // the first to go
  const std::array<uint8_t, 16> key_{1, 2, 3};
  const driver::CipherSessionParams params_{.algorithm = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
                                            .direction = driver::Operation::kEncrypt,
                                            .key = key_};
};

// Round trips of one byte per second between two threads on the two cores.
double PingPong(double seconds) {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, fds.data()) != 0) return 0;
  std::thread echo([fd = fds[1]] {
    PinThread(kBackendCore);
    char byte = 0;
    while (::read(fd, &byte, 1) == 1 && ::write(fd, &byte, 1) == 1) {
    }
  });
  const auto start = Clock::now();
  const auto end =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  uint64_t trips = 0;
  char byte = 0;
  while (Clock::now() < end && ::write(fds[0], &byte, 1) == 1 && ::read(fds[0], &byte, 1) == 1) {
    ++trips;
  }
  const double rate =
      static_cast<double>(trips) / std::chrono::duration<double>(Clock::now() - start).count();
  ::close(fds[0]);
  echo.join();
  ::close(fds[1]);
  return rate;
}

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

double OwnCpu() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Comparison {
 public:
  explicit Comparison(const Options& options)
      : options_(options),
        dpdk_({options.dpdk, "-l", "0,1", "--no-huge", "-m", "256", "--no-pci", "--file-prefix",
               fmt::format("sealane{}", ::getpid()), "--log-level=4", "--vdev", "crypto_aesni_mb0",
               "--", "--socket-file", "1,{socket}", "--config", "(1,0,0)"},
              kBackendCore),
        sealaned_({options.sealaned, "--socket-path={socket}"}, kBackendCore) {}

  bool Prepare() {
    if (!dpdk_.ok() || !sealaned_.ok()) return false;
    dpdk_client_ = Client::Connect(dpdk_.socket_path());
    sealaned_client_ = Client::Connect(sealaned_.socket_path());
    dpdk_.Pause();
    return dpdk_client_ != nullptr && sealaned_client_ != nullptr;
  }

  // False: a session was refused.
  bool Run() {
    while (kept_ < options_.rounds && dropped_ < 4 * options_.rounds) {
      const double ping = PingPong(options_.seconds);
      const auto theirs = Turn(dpdk_, *dpdk_client_);
      const auto ours = Turn(sealaned_, *sealaned_client_);
      if (!theirs || !ours) return false;
      if (is_disturbed_) {
        ++dropped_;
        is_disturbed_ = false;
        continue;
      }
      ++kept_;
      ping_.rates.push_back(ping);
      dpdk_series_.rates.push_back(*theirs);
      sealaned_series_.rates.push_back(*ours);
    }
    return kept_ != 0;
  }

  void Print() const {
    std::vector<double> ratios;
    for (size_t i = 0; i < kept_; ++i) {
      ratios.push_back(sealaned_series_.rates[i] / dpdk_series_.rates[i]);
    }
    std::ranges::sort(ratios);
    if (options_.json) {
      fmt::print(
          "{{\"cpu\":\"{}\",\"rounds\":{},\"dropped\":{},\"ping_pong_per_s\":{:.0f},"
          "\"dpdk_pairs_per_s\":{:.0f},\"sealaned_pairs_per_s\":{:.0f},\"ratio\":{:.2f},"
          "\"ratio_min\":{:.2f},\"ratio_max\":{:.2f}}}\n",
          CpuModel(), kept_, dropped_, ping_.Median(), dpdk_series_.Median(),
          sealaned_series_.Median(), ratios[kept_ / 2], ratios.front(), ratios.back());
      return;
    }
    fmt::print("{}; {} rounds of {} s each, {} dropped; driver on core {}, back-ends on core {}\n",
               CpuModel(), kept_, options_.seconds, dropped_, kDriverCore, kBackendCore);
    fmt::print("{:<34}{:>12}\n", "", "per second");
    fmt::print("{:<34}{:>12.0f}\n", "socket round trips, nothing done", ping_.Median());
    fmt::print("{:<34}{:>12.0f}\n", "create + close, DPDK vhost_crypto", dpdk_series_.Median());
    fmt::print("{:<34}{:>12.0f}\n", "create + close, sealaned", sealaned_series_.Median());
    fmt::print("sealaned / DPDK: {:.2f} ({:.2f} to {:.2f})\n", ratios[kept_ / 2], ratios.front(),
               ratios.back());
  }

 private:
  std::optional<double> Turn(PeerProcess& peer, Client& client) {
    peer.Resume();
    const double busy = BusySeconds();
    const double own = OwnCpu() + peer.CpuSeconds();
    const auto start = Clock::now();
    const auto rate = client.Run(options_.seconds);
    const double others = BusySeconds() - busy - (OwnCpu() + peer.CpuSeconds() - own);
    const double all = std::chrono::duration<double>(Clock::now() - start).count() *
                       std::thread::hardware_concurrency();
    if (others / all > kMaxDisturbance) is_disturbed_ = true;
    peer.Pause();
    return rate;
  }

  const Options options_;
  PeerProcess dpdk_;
  PeerProcess sealaned_;
  std::unique_ptr<Client> dpdk_client_;
  std::unique_ptr<Client> sealaned_client_;
  Series ping_{.name = "ping-pong"};
  Series dpdk_series_{.name = "dpdk"};
  Series sealaned_series_{.name = "sealaned"};
  size_t kept_ = 0;
  unsigned dropped_ = 0;
  bool is_disturbed_ = false;
};

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"Session messages: sealaned against DPDK's vhost_crypto example"};
  app.add_option("--sealaned", options.sealaned, "the daemon")->capture_default_str();
  app.add_option("--dpdk", options.dpdk, "DPDK's example (tools/build_dpdk_peer.sh)")
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "that count")->capture_default_str();
  app.add_option("--seconds", options.seconds, "of each turn")->capture_default_str();
  app.add_flag("--json", options.json, "one JSON object");
  CLI11_PARSE(app, argc, argv);
  if (!std::filesystem::exists(options.dpdk)) {
    fmt::print(stderr, "peer_session_messages: skipped: no {} (make bench-peers builds it)\n",
               options.dpdk);
    return kSkipped;
  }
  PinThread(kDriverCore);
  Comparison comparison(options);
  if (!comparison.Prepare() || !comparison.Run()) {
    fmt::print(stderr, "peer_session_messages: a back-end does not start or refuses sessions\n");
    return 1;
  }
  comparison.Print();
  return 0;
}

}  // namespace
}  // namespace sealane::bench

int main(int argc, char** argv) { return sealane::bench::Main(argc, argv); }
