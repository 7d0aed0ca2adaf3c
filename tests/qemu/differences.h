// SPDX-License-Identifier: Apache-2.0
//
// Where sealaned's answers differ from those of QEMU's built-in device (7.2, of Debian 12), and
// why. The oracle test fails at a difference that is not here, and at a row that is no difference
// any more. Constant data.
#pragma once

#include <span>

namespace sealane::testing {

struct Difference {
  const char* where;  // case/step
  const char* qemu;   // Observation::Summary() of QEMU's built-in device
  const char* ours;   // of sealaned behind cryptodev-vhost-user
  const char* reason;
};

std::span<const Difference> KnownDifferences();

}  // namespace sealane::testing
