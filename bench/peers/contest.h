// SPDX-License-Identifier: Apache-2.0
//
// A contest: contenders take turns, round by round, so that whatever else the machine does falls on
// all. Rounds during which other programs used much of the machine are dropped, and counted. One
// thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "peer_process.h"
#include "sealane/base/result.h"

namespace sealane::bench {

struct Contender {
  std::string id;                                     // in JSON
  std::string label;                                  // in the table
  std::function<Result<double>(double seconds)> run;  // what it did per second
  PeerProcess* peer = nullptr;                        // null: in this process
  Placement placement{};
  std::string versus{};  // the id of whom it is compared with, or empty
};

struct ContestOptions {
  unsigned rounds = 9;   // that count
  double seconds = 0.4;  // of each turn
};

struct ContestResult {
  unsigned kept = 0;
  unsigned dropped = 0;
  std::vector<std::vector<double>> rates;  // by contender, then round
};

// Fails if a contender does. May keep fewer rounds than asked for, when most are disturbed.
Result<ContestResult> RunContest(const std::vector<Contender>& contenders,
                                 const ContestOptions& options);

// Median, least and greatest.
struct Summary {
  double median = 0;
  double least = 0;
  double greatest = 0;
};

Summary Summarize(std::vector<double> values);  // not empty

// Round by round, the first over the second.
std::vector<double> Ratios(const std::vector<double>& over, const std::vector<double>& under);

}  // namespace sealane::bench
