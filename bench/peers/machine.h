// SPDX-License-Identifier: Apache-2.0
//
// What a measurement has to say about where it was made. Functions; one thread.
#pragma once

#include <string>

namespace sealane::bench {

struct Machine {
  std::string cpu;
  unsigned cores = 0;
  std::string kernel;
  std::string dpdk;  // versions; "unknown" if they do not say
  std::string sealaned;
};

// `sealaned` and `dpdk` are the programs' paths.
Machine DescribeMachine(const std::string& sealaned, const std::string& dpdk);

}  // namespace sealane::bench
