// SPDX-License-Identifier: Apache-2.0
//
// PeerClient: the front-end of every back-end that is measured: our driver in cryptodev mode, its
// sessions described in layout L1, the only one that DPDK 22.11 reads. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "sealane/base/result.h"
#include "sealane/driver/crypto_driver.h"

namespace sealane::bench {

class PeerClient {
 public:
  // The back-end runs meanwhile.
  static Result<std::unique_ptr<PeerClient>> Connect(const std::string& path);

  // Whether a session encrypts what OpenSSL encrypts.
  Result<void> Verify();

  // Makes and closes AES-128-CBC sessions, one after the other, and returns pairs per second. Fails
  // if one is refused.
  Result<double> RunSessionPairs(double seconds);

  // Sessions that were made and closed so far.
  uint64_t num_sessions() const { return num_sessions_; }

 private:
  explicit PeerClient(std::unique_ptr<driver::CryptoDriver> driver) : driver_(std::move(driver)) {}
  Result<driver::SessionId> CreateSession();

  static constexpr std::array<uint8_t, 16> kKey = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                                   0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

  std::unique_ptr<driver::CryptoDriver> driver_;
  uint64_t num_sessions_ = 0;
};

}  // namespace sealane::bench
