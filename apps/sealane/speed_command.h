// SPDX-License-Identifier: Apache-2.0
//
// The command `sealane speed`: how fast the device enciphers, and how fast OpenSSL's EVP would
// have. Main thread.
#pragma once

#include <cstdint>
#include <string>

#include "command_result.h"
#include "device_option.h"

namespace sealane::cli {

struct SpeedOptions {
  DeviceOption device;
  std::string algo = "aes-128-cbc";
  std::string sizes = "16,64,256,1024,4096,16384,65536";
  double seconds = 1;  // for each size, and as long again for EVP
  uint32_t depth = 64;
  std::string compare;
  bool json = false;
};

CLI::App& AddSpeedCommand(CLI::App& app, SpeedOptions& options);

CommandResult<void> RunSpeed(const SpeedOptions& options);

}  // namespace sealane::cli
