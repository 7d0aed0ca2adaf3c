// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder that need no daemon: a running device with a session, and a check
// after every test that the queue still serves. One thread besides the device's own.
//
// A number in a test's name is a row of README.md in this folder.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/device_fixture.h"
#include "sealane/testing/process_memory.h"

namespace sealane::faults {

using Bytes = std::vector<uint8_t>;
using testing::AnonymousKiB;

// NIST SP 800-38A, F.2.1, the first two blocks.
extern const Bytes kKey;
extern const Bytes kIv;
extern const Bytes kPlain;
extern const Bytes kCipher;

// CPU time of this process while the caller sleeps for 200 ms.
int64_t CpuMillisecondsWhileIdle();

class FaultTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kQueue = testing::kDataQueue;

  testing::CipherRequest Good() const {
    return {.session_id = session, .src_len = 32, .dst_len = 32};
  }
  // Header, IV, 32 bytes of source, `room` bytes for the result, one for the status.
  testing::ChainBuilder Chain(const testing::CipherRequest& request, uint32_t room = 32);
  // The same with these bytes in place of the header.
  testing::ChainBuilder RawChain(std::span<const uint8_t> header, uint32_t room = 32);

  // The status of a request that must come back with used length 1 and nothing else written.
  uint8_t StatusAlone(testing::ChainBuilder chain);
  // Whether the result is the right one, with used length 33 and `tail` untouched bytes behind it.
  bool IsRight(testing::ChainBuilder chain, size_t tail = 0);
  // The same of what came back with length `used_len` in `chain`.
  static bool IsRight(const testing::ChainBuilder& chain, int64_t used_len, size_t tail);

  void TearDown() override { EXPECT_TRUE(IsRight(Chain(Good()))) << "the queue is dead"; }

  testing::DeviceFixture fixture;
  uint64_t session = fixture.CreateSession(kKey, wire::VIRTIO_CRYPTO_OP_ENCRYPT);
  uint32_t control = fixture.device->control_index();
};

}  // namespace sealane::faults
