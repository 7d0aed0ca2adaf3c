// SPDX-License-Identifier: Apache-2.0
//
// The named scenarios that both devices are asked. Names are what differences.h refers to.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "scenario.h"

namespace sealane::testing {

struct Case {
  std::string name;
  std::function<void(Scenario&)> run;

  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

std::vector<Case> ControlCases();  // sessions
std::vector<Case> CipherCases();   // requests to good and bad sessions, their numbers good and bad
std::vector<Case> ChainCases();    // how a request is cut up, and chains that are no requests

}  // namespace sealane::testing
