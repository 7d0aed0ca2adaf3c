// SPDX-License-Identifier: Apache-2.0
//
// What `sealane bench control` measures: sessions made and closed by some threads at once, by every
// design in turns. Main thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "command_result.h"
#include "control_design.h"
#include "device_option.h"
#include "sealane/base/latency_histogram.h"

namespace sealane::cli {

// One design, one number of workers, one round.
struct ControlRound {
  double ops_per_s = 0;      // creates and closes
  double cpu_us_per_op = 0;  // of all threads of this process
  double fairness = 0;       // operations of the worker that did least, to the mean
  LatencyHistogram latencies;
};

struct ControlRounds {
  unsigned num_workers = 0;
  std::map<DesignKind, std::vector<ControlRound>> designs{};  // as many rounds for each
  std::vector<double> batched_pairs_per_s{};                  // by round; one thread
  unsigned num_dropped = 0;      // rounds that other programs disturbed
  bool keeps_disturbed = false;  // too few were left without those
};

struct ControlPlan {
  DeviceOption device;
  std::vector<DesignKind> designs;
  unsigned num_workers = 1;
  unsigned num_rounds = 5;
  double seconds = 0.3;  // each design, each round
  // Whether the device's work is done by this process; if not, the rest of the machine cannot be
  // told from the device, and no round is dropped.
  bool device_is_here = true;
};

CommandResult<ControlRounds> MeasureControl(const ControlPlan& plan);

// What an answer through a socket costs at least: there and back between two threads.
double SocketRoundTripUs();

double MedianOf(std::vector<double> values);  // not empty

}  // namespace sealane::cli
