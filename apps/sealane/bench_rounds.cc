// SPDX-License-Identifier: Apache-2.0
#include "bench_rounds.h"

#include <algorithm>

#include "machine_load.h"

namespace sealane::cli {
namespace {

constexpr double kMaxShareOfOthers = 0.08;
constexpr size_t kMinRounds = 3;

}  // namespace

CommandResult<Rounds> RunRounds(unsigned num_rounds,
                                const std::function<CommandResult<void>(size_t)>& round) {
  std::vector<size_t> quiet;
  size_t num_done = 0;
  while (quiet.size() < num_rounds && num_done - quiet.size() < num_rounds) {
    const MachineLoad load;
    SL_RETURN_IF_ERROR(round(num_done));
    if (load.ShareOfOthers().value_or(0) <= kMaxShareOfOthers) quiet.push_back(num_done);
    ++num_done;
  }
  Rounds rounds{.kept = std::move(quiet)};
  rounds.num_dropped = static_cast<unsigned>(num_done - rounds.kept.size());
  if (rounds.kept.size() >= std::min<size_t>(kMinRounds, num_rounds)) return rounds;
  rounds.keeps_disturbed = true;
  rounds.kept.clear();
  for (size_t i = 0; i < num_done; ++i) rounds.kept.push_back(i);
  return rounds;
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace sealane::cli
