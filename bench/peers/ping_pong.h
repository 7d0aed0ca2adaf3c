// SPDX-License-Identifier: Apache-2.0
//
// The yardstick of everything that goes over a UNIX socket: a byte there and back, between this
// thread and one on some core, with nothing done in between. One thread.
#pragma once

#include "sealane/base/result.h"

namespace sealane::bench {

// Round trips per second.
Result<double> RunPingPong(unsigned other_core, double seconds);

}  // namespace sealane::bench
