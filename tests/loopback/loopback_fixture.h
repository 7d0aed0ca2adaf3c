// SPDX-License-Identifier: Apache-2.0
//
// For the loopback tests: a driver with its device in this process, OpenSSL as the oracle, and
// requests with buffers of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <vector>

#include "sealane/driver/crypto_driver.h"
#include "sealane/loopback/loopback_transport.h"

namespace sealane::loopback_test {

using Bytes = std::vector<uint8_t>;

struct Algorithm {
  const char* name;
  uint32_t id;           // VIRTIO_CRYPTO_CIPHER_*
  const char* evp_name;  // null: no such cipher in OpenSSL
  size_t key_len;        // bytes
  size_t iv_len;
  size_t block_len;  // what a payload's length is a multiple of
};
inline void PrintTo(const Algorithm& algorithm, std::ostream* out) { *out << algorithm.name; }
std::span<const Algorithm> Algorithms();
inline constexpr size_t kAes128Cbc = 3;  // its place in Algorithms()

// What OpenSSL makes of it. 3DES-CTR is put together from its 3DES-ECB here.
Bytes Reference(const Algorithm& algorithm, std::span<const uint8_t> key,
                std::span<const uint8_t> iv, std::span<const uint8_t> in, bool encrypt);

// Bytes that differ from seed to seed.
Bytes Noise(size_t len, uint32_t seed);

std::unique_ptr<driver::CryptoDriver> OpenLoopback(const loopback::LoopbackOptions& device = {},
                                                   const driver::Options& options = {});

driver::SessionId MustCreate(driver::CryptoDriver& driver, const Algorithm& algorithm,
                             driver::Operation direction, std::span<const uint8_t> key);

// A request with its buffers and what it should give.
struct Job {
  Job(const Algorithm& algorithm, std::span<const uint8_t> key, driver::SessionId session,
      driver::Operation operation, size_t len, uint32_t seed);
  Job(const Job&) = delete;
  bool Right() const { return request.status == driver::Status::kOk && dst == expected; }

  Bytes iv;
  Bytes src;
  Bytes dst;
  Bytes expected;
  driver::Request request;
};

}  // namespace sealane::loopback_test
