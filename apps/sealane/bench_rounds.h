// SPDX-License-Identifier: Apache-2.0
//
// Rounds of a comparison: in each, everything that is compared has its turn, so that whatever else
// the machine does falls on all. Rounds during which other programs used much of the machine are
// dropped, and counted. Main thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "command_result.h"

namespace sealane::cli {

struct Rounds {
  std::vector<size_t> kept;      // indices of the rounds that count
  unsigned num_dropped = 0;      // disturbed
  bool keeps_disturbed = false;  // too few were left without those, so that `kept` has all
};

// Calls `round` with 0, 1, 2, … until `num_rounds` were quiet, or as many disturbed.
CommandResult<Rounds> RunRounds(unsigned num_rounds,
                                const std::function<CommandResult<void>(size_t)>& round);

double Median(std::vector<double> values);  // not empty

}  // namespace sealane::cli
