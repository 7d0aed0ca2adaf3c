// SPDX-License-Identifier: Apache-2.0
#include "cpu_affinity.h"

#include <sched.h>

namespace sealane::cli {

std::vector<size_t> AllowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<size_t> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cpus;
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

void PinThisThread(size_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  static_cast<void>(sched_setaffinity(0, sizeof(set), &set));
}

}  // namespace sealane::cli
