// SPDX-License-Identifier: Apache-2.0
//
// CipherRunner: something that enciphers, so that one test can run the same vectors through
// OpenSSL, through the loopback device and through a daemon's socket. Owned by the test, used from
// one thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sealane/testing/cipher_vector.h"

namespace sealane::vectors {

using testing::Bytes;

struct CipherInput {
  std::span<const uint8_t> iv;
  std::span<const uint8_t> data;
};

class CipherRunner {
 public:
  CipherRunner() = default;
  CipherRunner(const CipherRunner&) = delete;
  CipherRunner& operator=(const CipherRunner&) = delete;
  virtual ~CipherRunner() = default;

  // Runs all inputs under one key in one direction. One answer for each input, in order; nothing
  // for one that was refused.
  virtual std::vector<std::optional<Bytes>> Run(const std::string& algorithm,
                                                std::span<const uint8_t> key, bool encrypt,
                                                std::span<const CipherInput> inputs) = 0;

  // Whether a key with equal XTS halves is refused in this direction. It is asserted either way.
  virtual bool RefusesEqualXtsHalves(bool encrypt) const = 0;
};

}  // namespace sealane::vectors
