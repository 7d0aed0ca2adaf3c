// SPDX-License-Identifier: Apache-2.0
//
// DriverRunner: the driver with whatever device stands behind its transport. One session for each
// key and direction; all inputs under it are in flight together, as far as the channel is deep.
#pragma once

#include <memory>
#include <utility>

#include "cipher_runner.h"
#include "sealane/driver/crypto_driver.h"

namespace sealane::vectors {

class DriverRunner final : public CipherRunner {
 public:
  explicit DriverRunner(std::unique_ptr<driver::CryptoDriver> crypto)
      : crypto_(std::move(crypto)) {}

  // Anything but an answer of the device (a timeout, a broken queue) is reported as a failure of
  // the test and not as a refusal.
  std::vector<std::optional<Bytes>> Run(const std::string& algorithm, std::span<const uint8_t> key,
                                        bool encrypt, std::span<const CipherInput> inputs) override;

  // Our engine refuses such a key when the session is made, for both directions.
  bool RefusesEqualXtsHalves(bool /*encrypt*/) const override { return true; }

 private:
  // Submits all requests and waits until they are back.
  void RunRequests(std::span<driver::Request> requests);

  std::unique_ptr<driver::CryptoDriver> crypto_;
};

}  // namespace sealane::vectors
