// SPDX-License-Identifier: Apache-2.0
//
// Vring: what a front-end has said about one ring so far. The descriptors stay here; a running
// queue has duplicates, so that it can be stopped and started again. Owned by CryptoBackend; one
// thread.
#pragma once

#include <cstdint>
#include <optional>

#include "sealane/base/event_fd.h"
#include "sealane/ring/device/split_queue.h"

namespace sealane::backend {

struct Vring {
  uint32_t num = 0;
  uint16_t base = 0;
  std::optional<ring::RingAddresses<mem::FrontendAddr>> addresses;
  EventFd kick;
  EventFd call;
  EventFd error;
  std::optional<bool> enabled;  // nothing: SET_VRING_ENABLE has not come

  // Everything that a start needs, apart from being enabled.
  bool IsSetUp() const { return num != 0 && addresses.has_value() && kick.valid(); }
};

}  // namespace sealane::backend
