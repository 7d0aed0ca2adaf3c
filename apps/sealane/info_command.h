// SPDX-License-Identifier: Apache-2.0
//
// The command `sealane info`: what the device offers. Main thread.
#pragma once

#include "command_result.h"
#include "device_option.h"

namespace sealane::cli {

struct InfoOptions {
  DeviceOption device;
  bool json = false;
};

CLI::App& AddInfoCommand(CLI::App& app, InfoOptions& options);

CommandResult<void> RunInfo(const InfoOptions& options);

}  // namespace sealane::cli
