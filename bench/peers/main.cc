// SPDX-License-Identifier: Apache-2.0
//
// bench_peers: sealaned beside other back-ends, in one run. Sessions by vhost-user messages 26 and
// 27 so far, against DPDK's vhost_crypto example: pairs of create and close per second. Both get
// the same messages from the same driver, and the same placement.
//
// What placement does to DPDK decides the comparison. It runs its message thread on the core of its
// main thread, which polls, and its worker polls too: with two cores one of them, or the driver,
// is in the way wherever the message thread runs. So DPDK is judged by its best case, the pollers
// stopped, which sessions do not need; the other cases are shown beside it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <thread>

#include "contest.h"
#include "machine.h"
#include "peer_client.h"
#include "peer_process.h"
#include "peers.h"
#include "ping_pong.h"
#include "report.h"
#include "thread_control.h"

namespace sealane::bench {
namespace {

constexpr unsigned kDriverCore = 0;
constexpr unsigned kBackendCore = 1;
constexpr int kSkipped = 77;
constexpr unsigned kMinRounds = 3;
constexpr uint64_t kDpdkSessions = 1024;  // as many as it holds at once
constexpr uint64_t kSealanedSessions = 8192;

struct Options {
  std::string sealaned = "build/release/bin/sealaned";
  std::string dpdk = "build/cache/dpdk-peer/build/vhost-crypto";
  ContestOptions contest;
  bool json = false;
};

struct Peer {
  explicit Peer(PeerCommand command) : process(std::move(command)) {}
  // Leaving takes an answer of the back-end.
  ~Peer() {
    if (client == nullptr) return;
    const PeerTurn turn(process, {});
    client.reset();
  }

  PeerProcess process;
  std::unique_ptr<PeerClient> client;
};

// Connects, and checks that the back-end does what it is measured for.
bool Prepare(const char* name, Peer& peer) {
  if (!peer.process.ok()) {
    fmt::print(stderr, "{} does not start:\n{}\n", name, peer.process.Log());
    return false;
  }
  const PeerTurn turn(peer.process, {});
  auto client = PeerClient::Connect(peer.process.socket_path());
  const auto verified = client ? (*client)->Verify() : Result<void>(client.error());
  if (!verified) {
    fmt::print(stderr, "{}: {}\n{}\n", name, ToString(verified.error()), peer.process.Log());
    return false;
  }
  peer.client = std::move(*client);
  return true;
}

Contender SessionsBy(Peer& peer, std::string id, std::string label, Placement placement,
                     std::string versus = "") {
  return {.id = std::move(id),
          .label = std::move(label),
          .run = [&peer](double seconds) { return peer.client->RunSessionPairs(seconds); },
          .peer = &peer.process,
          .placement = placement,
          .versus = std::move(versus)};
}

Contender PingPong(std::string id, std::string label, unsigned core) {
  return {.id = std::move(id), .label = std::move(label), .run = [core](double seconds) {
            return RunPingPong(core, seconds);
          }};
}

std::vector<Contender> SessionContenders(Peer& dpdk, Peer& sealaned) {
  return {
      PingPong("ping_other", "socket round trip, other core, nothing done", kBackendCore),
      SessionsBy(dpdk, "dpdk_other", "DPDK, other core, pollers stopped",
                 {.core = kBackendCore, .spinners = Spinners::kStand}),
      SessionsBy(sealaned, "sealaned_other", "sealaned, other core", {.core = kBackendCore},
                 "dpdk_other"),
      PingPong("ping_same", "socket round trip, driver's core, nothing done", kDriverCore),
      SessionsBy(dpdk, "dpdk_same", "DPDK, driver's core, pollers stopped",
                 {.core = kDriverCore, .spinners = Spinners::kStand}),
      SessionsBy(sealaned, "sealaned_same", "sealaned, driver's core", {.core = kDriverCore},
                 "dpdk_same"),
      SessionsBy(dpdk, "dpdk_idle_other", "DPDK, other core, pollers in the idle class",
                 {.core = kBackendCore, .spinners = Spinners::kIdle}),
      SessionsBy(dpdk, "dpdk_as_started", "DPDK, cores as it chooses, pollers running", {}),
  };
}

// More sessions than fit at once were made: so they really were closed.
std::string ClosingNote(const char* name, const Peer& peer, uint64_t limit) {
  const uint64_t made = peer.client->num_sessions();
  return fmt::format("{}: {} sessions were made, {} fit at once: closing is {}", name, made, limit,
                     made > limit ? "effective" : "not proven by that");
}

int Compare(const Options& options) {
  Peer dpdk(DpdkCommand(options.dpdk));
  Peer sealaned(SealanedCommand(options.sealaned));
  if (!Prepare("DPDK", dpdk) || !Prepare("sealaned", sealaned)) return 1;
  const std::vector<Contender> contenders = SessionContenders(dpdk, sealaned);
  const auto result = RunContest(contenders, options.contest);
  if (!result) return 1;
  if (result->kept < kMinRounds) {
    fmt::print(stderr, "bench_peers: only {} rounds were quiet, {} were not\n", result->kept,
               result->dropped);
    return 1;
  }
  const Report report{
      .machine = DescribeMachine(options.sealaned, options.dpdk),
      .title = "Session messages: AES-128-CBC sessions created and closed, one at a time",
      .setting =
          fmt::format("driver on core {}; ratios are to DPDK with the same placement", kDriverCore),
      .notes = {"before: a session of each encrypted 256 bytes as OpenSSL does",
                ClosingNote("DPDK", dpdk, kDpdkSessions),
                ClosingNote("sealaned", sealaned, kSealanedSessions)}};
  (options.json ? PrintJson : PrintTable)(report, contenders, options.contest, *result);
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{"sealaned beside DPDK's vhost_crypto example"};
  app.add_option("--sealaned", options.sealaned, "the daemon")->capture_default_str();
  app.add_option("--dpdk", options.dpdk, "DPDK's example (tools/build_dpdk_peer.sh)")
      ->capture_default_str();
  app.add_option("--rounds", options.contest.rounds, "that count")
      ->capture_default_str()
      ->check(CLI::Range(kMinRounds, 1000U));
  app.add_option("--seconds", options.contest.seconds, "of each turn")
      ->capture_default_str()
      ->check(CLI::Range(0.05, 60.0));
  app.add_flag("--json", options.json, "one JSON object");
  CLI11_PARSE(app, argc, argv);
  if (::access(options.dpdk.c_str(), X_OK) != 0) {
    fmt::print(stderr, "bench_peers: skipped: no {} (make bench-peers builds it)\n", options.dpdk);
    return kSkipped;
  }
  if (std::thread::hardware_concurrency() < 2 || !PinThread(kDriverCore)) {
    fmt::print(stderr, "bench_peers: skipped: it needs cores 0 and 1\n");
    return kSkipped;
  }
  return Compare(options);
}

}  // namespace
}  // namespace sealane::bench

int main(int argc, char** argv) { return sealane::bench::Main(argc, argv); }
