// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "driver_runner.h"
#include "run_vectors.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/loopback/loopback_transport.h"

namespace sealane::vectors {
namespace {

TEST(Loopback, AllVectors_AreAnsweredRight) {
  auto engine = crypto::OpenSslEngine::Create();
  ASSERT_TRUE(engine.has_value()) << ToString(engine.error());
  auto transport = loopback::LoopbackTransport::Create(std::move(*engine), {});
  ASSERT_TRUE(transport.has_value()) << ToString(transport.error());
  auto crypto = driver::CryptoDriver::Create(std::move(*transport), {});
  ASSERT_TRUE(crypto.has_value()) << ToString(crypto.error());
  DriverRunner runner(std::move(*crypto));
  RunAllVectors(runner);
}

}  // namespace
}  // namespace sealane::vectors
