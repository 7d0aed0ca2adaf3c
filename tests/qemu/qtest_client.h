// SPDX-License-Identifier: Apache-2.0
//
// QtestClient: QEMU's qtest protocol, a line of text for each access to an I/O port or to physical
// memory. A failure is remembered: after it every read gives 0 and every write does nothing, so
// that a caller need only ask ok() where it matters. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "sealane/base/unique_fd.h"

namespace sealane::testing {

// The width of one access, in bytes.
enum class AccessSize : uint8_t { k1 = 1, k2 = 2, k4 = 4, k8 = 8 };

class QtestClient {
 public:
  // Not connected.
  QtestClient() = default;

  // Whether QEMU's socket could be reached.
  bool Connect(const std::string& path);

  bool ok() const { return ok_; }

  uint64_t Read(uint64_t addr, AccessSize size);
  void Write(uint64_t addr, AccessSize size, uint64_t value);

  // Sends a 16-bit write without waiting for its answer, unless one is still on its way. False if
  // it is, and nothing was sent.
  bool TryWrite16(uint64_t addr, uint16_t value);

  // I/O ports have no 8-byte access.
  uint32_t In(uint16_t port, AccessSize size);
  void Out(uint16_t port, AccessSize size, uint32_t value);

 private:
  // The number that QEMU answers, 0 if it answers none.
  uint64_t Ask(std::string_view line);
  bool Send(std::string_view line);
  bool TakeAnswer(bool wait);
  bool Receive(bool wait);
  void WaitForAnswers();

  UniqueFd socket_;
  std::string received_;
  uint64_t value_ = 0;
  unsigned expected_ = 0;  // answers on their way
  bool ok_ = false;
};

}  // namespace sealane::testing
