// SPDX-License-Identifier: Apache-2.0
//
// DeviceLoad: requests of one size that go round a device: as many as the depth says are in flight,
// in place, in memory that the device sees. One thread, that of the driver's first channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "command_result.h"
#include "evp_baseline.h"
#include "sealane/driver/crypto_driver.h"

namespace sealane::cli {

// What was done in how much time.
struct Round {
  uint64_t ops = 0;
  double seconds = 0;

  double ops_per_s() const { return seconds > 0 ? static_cast<double>(ops) / seconds : 0; }
  Round& operator+=(const Round& other);
};

class DeviceLoad {
 public:
  // The driver, and the IV's bytes, outlive the load.
  static CommandResult<DeviceLoad> Create(driver::CryptoDriver& driver, driver::SessionId session,
                                          std::span<const uint8_t> iv, size_t size, size_t depth);
  DeviceLoad(DeviceLoad&&) = default;
  // If requests are in flight still, stops the channel for good.
  ~DeviceLoad();

  // Encrypts every buffer once and compares with what OpenSSL makes of it.
  CommandResult<void> Verify(EvpBaseline& evp);

  CommandResult<Round> Run(double seconds);

 private:
  DeviceLoad(driver::DataChannel& channel, size_t depth);
  CommandResult<void> Submit(std::span<driver::Request* const> requests);
  // Waits for at least one; they stand at the front of done_.
  CommandResult<size_t> Collect();

  driver::DataChannel& channel_;
  std::vector<driver::DmaBuffer> buffers_;
  std::vector<driver::Request> requests_;  // never resized
  std::vector<driver::Request*> all_;      // of them
  std::vector<driver::Request*> done_;
};

}  // namespace sealane::cli
