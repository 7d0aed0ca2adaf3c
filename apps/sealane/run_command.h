// SPDX-License-Identifier: Apache-2.0
//
// The command `sealane run`: one JSON request a line on standard input, one JSON result a line on
// standard output, in order. Main thread.
#pragma once

#include "command_result.h"
#include "device_option.h"

namespace sealane::cli {

CLI::App& AddRunCommand(CLI::App& app, DeviceOption& device);

CommandResult<void> RunRequests(const DeviceOption& device);

}  // namespace sealane::cli
