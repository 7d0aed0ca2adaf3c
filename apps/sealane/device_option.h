// SPDX-License-Identifier: Apache-2.0
//
// The options --device, --mode and --engine that all commands share, and the device behind them.
// Used by the main thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "command_result.h"
#include "sealane/driver/crypto_driver.h"

namespace CLI {
class App;
}

namespace sealane::cli {

struct DeviceOption {
  std::string device = "loopback";
  std::string mode = "device";
  std::string engine = "auto";
  std::chrono::microseconds poll{50};  // of a loopback device's workers, before they sleep
};

void AddDeviceOptions(CLI::App& command, DeviceOption& option);

// Starts or connects to the device, which is not driven yet.
CommandResult<std::unique_ptr<driver::Transport>> OpenTransport(const DeviceOption& option);

CommandResult<std::unique_ptr<driver::CryptoDriver>> OpenDriver(const DeviceOption& option,
                                                                const driver::Options& options);

}  // namespace sealane::cli
