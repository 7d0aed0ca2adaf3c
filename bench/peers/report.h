// SPDX-License-Identifier: Apache-2.0
//
// How a contest is told: a table for people, one JSON object for programs. Functions.
#pragma once

#include <string>
#include <vector>

#include "contest.h"
#include "machine.h"

namespace sealane::bench {

struct Report {
  Machine machine;
  std::string title;
  std::string setting;             // cores, scheduling: what a reader must know
  std::vector<std::string> notes;  // what was checked
};

void PrintTable(const Report& report, const std::vector<Contender>& contenders,
                const ContestOptions& options, const ContestResult& result);

void PrintJson(const Report& report, const std::vector<Contender>& contenders,
               const ContestOptions& options, const ContestResult& result);

}  // namespace sealane::bench
