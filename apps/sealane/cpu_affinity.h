// SPDX-License-Identifier: Apache-2.0
//
// Which processor the calling thread runs on. A new thread inherits it, so pinning a thread before
// it opens a loopback device pins the device's workers. Any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace sealane::cli {

// Those that this thread may use, in order; empty if the system does not say.
std::vector<size_t> AllowedCpus();

// A failure changes nothing but the figures, and is ignored.
void PinThisThread(size_t cpu);

}  // namespace sealane::cli
