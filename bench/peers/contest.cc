// SPDX-License-Identifier: Apache-2.0
#include "contest.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

namespace sealane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxShareOfOthers = 0.08;  // of all processors
constexpr unsigned kMaxDroppedPerKept = 4;
constexpr double kWarmUpSeconds = 0.03;

// Processor seconds that all processors together have used.
double BusySeconds() {
  std::ifstream stat("/proc/stat");
  std::string word;
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal (proc(5))
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  const double busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
  return busy / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double OwnSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// What this process and a peer used since then, against what all did.
class Disturbance {
 public:
  explicit Disturbance(const PeerProcess* peer)
      : peer_(peer), start_(Clock::now()), busy_(BusySeconds()), ours_(Ours()) {}

  double ShareOfOthers() const {
    const double others = BusySeconds() - busy_ - (Ours() - ours_);
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    return others / (elapsed * std::thread::hardware_concurrency());
  }

 private:
  double Ours() const { return OwnSeconds() + (peer_ == nullptr ? 0 : peer_->CpuSeconds()); }

  const PeerProcess* peer_;
  Clock::time_point start_;
  double busy_;
  double ours_;
};

struct Turn {
  double rate = 0;
  bool disturbed = false;
};

Result<Turn> TakeTurn(const Contender& contender, double seconds) {
  std::optional<PeerTurn> peer_turn;
  if (contender.peer != nullptr) {
    peer_turn.emplace(*contender.peer, contender.placement);
    if (!peer_turn->ok()) return Error{ErrorCode::kSystem, "a peer's threads cannot be placed"};
  }
  SL_ASSIGN_OR_RETURN([[maybe_unused]] const double warm, contender.run(kWarmUpSeconds));
  const Disturbance disturbance(contender.peer);
  SL_ASSIGN_OR_RETURN(const double rate, contender.run(seconds));
  return Turn{.rate = rate, .disturbed = disturbance.ShareOfOthers() > kMaxShareOfOthers};
}

}  // namespace

Result<ContestResult> RunContest(const std::vector<Contender>& contenders,
                                 const ContestOptions& options) {
  ContestResult result;
  result.rates.resize(contenders.size());
  while (result.kept < options.rounds && result.dropped < kMaxDroppedPerKept * options.rounds) {
    std::vector<double> round;
    bool disturbed = false;
    for (const Contender& contender : contenders) {
      const Result<Turn> turn = TakeTurn(contender, options.seconds);
      if (!turn) {
        fmt::print(stderr, "{}: {}\n", contender.label, ToString(turn.error()));
        return turn.error();
      }
      round.push_back(turn->rate);
      disturbed = disturbed || turn->disturbed;
    }
    ++(disturbed ? result.dropped : result.kept);
    if (disturbed) continue;
    for (size_t i = 0; i < round.size(); ++i) result.rates[i].push_back(round[i]);
  }
  return result;
}

Summary Summarize(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {.median = median, .least = values.front(), .greatest = values.back()};
}

std::vector<double> Ratios(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> ratios;
  ratios.reserve(over.size());
  for (size_t i = 0; i < over.size(); ++i) ratios.push_back(over[i] / under[i]);
  return ratios;
}

}  // namespace sealane::bench
