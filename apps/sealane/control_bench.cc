// SPDX-License-Identifier: Apache-2.0
#include "control_bench.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "machine_load.h"
#include "sealane/base/unique_fd.h"

namespace sealane::cli {
namespace {

using Clock = std::chrono::steady_clock;
using driver::SessionOp;

constexpr double kMaxShareOfOthers = 0.08;
constexpr size_t kMinRounds = 3;
constexpr size_t kBatch = 256;  // sessions that one thread makes and closes together

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Operations count until `stop`; those that were under way then still show how long they took.
struct Worker {
  uint64_t ops = 0;
  bool failed = false;
  LatencyHistogram latencies;

  void Run(ControlDesign& design, const std::atomic<bool>& stop) {
    while (!stop.load(std::memory_order_relaxed)) {
      const Clock::time_point start = Clock::now();
      const auto session = design.Create();
      const Clock::time_point created = Clock::now();
      Count(created - start, stop);
      failed = !session || !design.Close(*session);
      if (failed) return;
      Count(Clock::now() - created, stop);
    }
  }

 private:
  void Count(Clock::duration latency, const std::atomic<bool>& stop) {
    latencies.Add(latency);
    if (!stop.load(std::memory_order_relaxed)) ++ops;
  }
};

CommandResult<ControlRound> RunRound(ControlDesign& design, DesignKind kind, unsigned num_workers,
                                     double seconds) {
  std::vector<Worker> workers(num_workers);
  std::vector<std::thread> threads;
  threads.reserve(num_workers);
  std::atomic<bool> stop{false};
  const MachineLoad load;
  const Clock::time_point start = Clock::now();
  for (Worker& worker : workers) threads.emplace_back([&] { worker.Run(design, stop); });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop.store(true, std::memory_order_relaxed);
  const double elapsed = SecondsSince(start);
  const double cpu_seconds = load.OwnSeconds();
  for (std::thread& thread : threads) thread.join();

  ControlRound round;
  uint64_t total = 0;
  uint64_t least = UINT64_MAX;
  for (const Worker& worker : workers) {
    if (worker.failed) return Failed(fmt::format("{}: a session failed", NameOf(kind)));
    total += worker.ops;
    least = std::min(least, worker.ops);
    round.latencies += worker.latencies;
  }
  if (total == 0) return round;
  round.ops_per_s = static_cast<double>(total) / elapsed;
  round.cpu_us_per_op = cpu_seconds * 1e6 / static_cast<double>(total);
  round.fairness = static_cast<double>(least) * num_workers / static_cast<double>(total);
  return round;
}

bool RunBatch(driver::CryptoDriver& driver, std::vector<SessionOp>& ops, SessionOp::Kind kind) {
  for (SessionOp& op : ops) {
    op.kind = kind;
    op.params = BenchSession();
  }
  driver.RunSessionOps(ops);
  return std::ranges::all_of(ops,
                             [](const SessionOp& op) { return op.status == driver::Status::kOk; });
}

CommandResult<double> BatchedPairsPerSecond(const DeviceOption& option, double seconds) {
  SL_ASSIGN_OR_RETURN(const auto driver, OpenDriver(option, {}));
  std::vector<SessionOp> ops(kBatch);
  uint64_t pairs = 0;
  const Clock::time_point start = Clock::now();
  while (SecondsSince(start) < seconds) {
    if (!RunBatch(*driver, ops, SessionOp::Kind::kCreate) ||
        !RunBatch(*driver, ops, SessionOp::Kind::kClose)) {
      return Failed("batched: a session failed");
    }
    pairs += ops.size();
  }
  return static_cast<double>(pairs) / SecondsSince(start);
}

struct OneOfEach {
  std::map<DesignKind, ControlRound> designs;
  double batched_pairs_per_s = 0;
  bool disturbed = false;
};

// Every design has the device to itself for its turn: a new one each time.
CommandResult<OneOfEach> RunOneOfEach(const ControlPlan& plan) {
  OneOfEach round;
  const auto watch = [&](const MachineLoad& load) {
    if (plan.device_is_here && load.ShareOfOthers().value_or(0) > kMaxShareOfOthers) {
      round.disturbed = true;
    }
  };
  for (const DesignKind kind : plan.designs) {
    SL_ASSIGN_OR_RETURN(const auto design, OpenDesign(kind, plan.device));
    const MachineLoad load;
    SL_ASSIGN_OR_RETURN(round.designs[kind],
                        RunRound(*design, kind, plan.num_workers, plan.seconds));
    watch(load);
  }
  const MachineLoad load;
  SL_ASSIGN_OR_RETURN(round.batched_pairs_per_s, BatchedPairsPerSecond(plan.device, plan.seconds));
  watch(load);
  return round;
}

}  // namespace

double MedianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

CommandResult<ControlRounds> MeasureControl(const ControlPlan& plan) {
  std::vector<OneOfEach> quiet;
  std::vector<OneOfEach> disturbed;
  while (quiet.size() < plan.num_rounds && disturbed.size() < plan.num_rounds) {
    SL_ASSIGN_OR_RETURN(OneOfEach round, RunOneOfEach(plan));
    (round.disturbed ? disturbed : quiet).push_back(std::move(round));
  }
  ControlRounds result{.num_workers = plan.num_workers,
                       .num_dropped = static_cast<unsigned>(disturbed.size())};
  if (quiet.size() < std::min<size_t>(kMinRounds, plan.num_rounds)) {
    result.keeps_disturbed = true;
    result.num_dropped = 0;
    std::ranges::move(disturbed, std::back_inserter(quiet));
  }
  for (const OneOfEach& round : quiet) {
    for (const auto& [kind, one] : round.designs) result.designs[kind].push_back(one);
    result.batched_pairs_per_s.push_back(round.batched_pairs_per_s);
  }
  return result;
}

double SocketRoundTripUs() {
  constexpr int kTrips = 5000;
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return 0;
  const UniqueFd here(fds[0]);
  std::thread peer([there = UniqueFd(fds[1])] {
    char byte = 0;
    while (::read(there.get(), &byte, 1) == 1 && ::write(there.get(), &byte, 1) == 1) {
    }
  });
  char byte = 0;
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kTrips; ++i) {
    if (::write(here.get(), &byte, 1) != 1 || ::read(here.get(), &byte, 1) != 1) break;
  }
  const double us = SecondsSince(start) * 1e6 / kTrips;
  ::shutdown(here.get(), SHUT_RDWR);
  peer.join();
  return us;
}

}  // namespace sealane::cli
