// SPDX-License-Identifier: Apache-2.0
//
// The daemon's life: one device, front-ends one after the other. Each finds a clean device.
#pragma once

#include "options.h"

namespace sealaned {

// Runs until SIGTERM or SIGINT, or with `once` (or a connected --fd) until the front-end leaves.
// Returns the exit code: 1 when it could not start, or when the only connection had to be given up.
int RunDaemon(const Options& options);

}  // namespace sealaned
