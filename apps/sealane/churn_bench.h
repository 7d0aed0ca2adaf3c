// SPDX-License-Identifier: Apache-2.0
//
// What happens to a data queue while threads make and close sessions on the control queue: the rate
// of one driver thread alone, next to such threads, and next to as many threads that only use the
// processors, since these are shared too. Main thread.
#pragma once

#include <vector>

#include "command_result.h"
#include "device_option.h"

namespace sealane::cli {

// Medians over rounds.
struct ChurnResult {
  double alone_ops_per_s = 0;    // requests of 256 bytes, AES-128-CBC, 64 in flight
  double churned_ops_per_s = 0;  // while the threads make and close sessions
  double busy_ops_per_s = 0;     // while the threads only count
  double sessions_per_s = 0;     // made and closed meanwhile
};

CommandResult<ChurnResult> MeasureChurn(const DeviceOption& option, unsigned num_threads,
                                        unsigned num_rounds, double seconds);

}  // namespace sealane::cli
