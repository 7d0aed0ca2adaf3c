// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "driver_runner.h"
#include "run_vectors.h"
#include "sealane/driver/vhost_user/vhost_user_transport.h"
#include "sealane/testing/daemon_process.h"

namespace sealane::vectors {
namespace {

void RunThroughDaemon(driver::VhostUserMode mode) {
  testing::DaemonProcess daemon(ProgramPath(), {});
  ASSERT_TRUE(daemon.ok()) << daemon.Log();
  auto transport = driver::VhostUserTransport::Connect(daemon.socket_path(), {.mode = mode});
  ASSERT_TRUE(transport.has_value()) << ToString(transport.error());
  auto crypto = driver::CryptoDriver::Create(std::move(*transport), {});
  ASSERT_TRUE(crypto.has_value()) << ToString(crypto.error());
  DriverRunner runner(std::move(*crypto));
  RunAllVectors(runner);
}

TEST(Sealaned, AllVectorsInDeviceMode_AreAnsweredRight) {
  RunThroughDaemon(driver::VhostUserMode::kDevice);
}

TEST(Sealaned, AllVectorsInCryptodevMode_AreAnsweredRight) {
  RunThroughDaemon(driver::VhostUserMode::kCryptodev);
}

}  // namespace
}  // namespace sealane::vectors
