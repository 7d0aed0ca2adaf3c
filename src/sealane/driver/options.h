// SPDX-License-Identifier: Apache-2.0
//
// What a caller may choose about a CryptoDriver. A value.
#pragma once

#include <chrono>
#include <cstdint>

namespace sealane::driver {

struct Options {
  // Data queues to start, each with its own DataChannel; 0: as many as the device has.
  uint32_t num_data_queues = 1;
  // Descriptors in each data ring: a power of two up to 32768, no more than the transport takes.
  uint32_t queue_size = 256;
  // Requests in flight in one channel, at most; cut down to what the ring holds.
  uint32_t depth = 256;
  // Bytes of payload that one request may have when it is copied through the driver's own buffers;
  // 0: every payload must lie in DMA memory. depth * max_payload bytes of address space.
  uint32_t max_payload = 65536;
  // Pieces on each side of a request that is not copied, 1 to kMaxSegments.
  static constexpr uint32_t kMaxSegments = 1024;
  uint32_t max_segments = 4;
  // How long a session operation may take.
  std::chrono::milliseconds control_timeout{5000};
  // How long a waiting thread polls before it asks for an interrupt and sleeps.
  std::chrono::microseconds spin{30};
};

}  // namespace sealane::driver
