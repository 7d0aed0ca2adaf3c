// SPDX-License-Identifier: Apache-2.0
//
// MachineLoad: processor time that this process used between two moments, and what others used
// meanwhile, so that a disturbed measurement can be told. Values; any thread.
#pragma once

#include <chrono>
#include <optional>

namespace sealane::cli {

class MachineLoad {
 public:
  MachineLoad();  // from now on

  // Processor seconds of all threads of this process since then.
  double OwnSeconds() const;
  // Of all processors' time since then, the share that others used; nothing if the system does not
  // say. Exact to some percent of a second.
  std::optional<double> ShareOfOthers() const;

 private:
  std::chrono::steady_clock::time_point start_;
  double own_;
  std::optional<double> busy_;
};

}  // namespace sealane::cli
