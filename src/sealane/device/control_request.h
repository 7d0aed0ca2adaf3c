// SPDX-License-Identifier: Apache-2.0
//
// Control requests (virtio 1.3, 5.9.7.2): create and destroy sessions. Runs on the control queue's
// thread.
#pragma once

#include <cstdint>

#include "sealane/crypto/engine.h"
#include "sealane/device/algorithm_map.h"
#include "sealane/device/framing.h"
#include "sealane/device/session_table.h"
#include "sealane/ring/descriptor_chain.h"

namespace sealane::device {

// What control requests work on.
struct ControlContext {
  crypto::Engine& engine;
  SessionTable& sessions;
  Compatibility compatibility;
};

// What a control request came to.
struct ControlResult {
  crypto::Status status;
  uint32_t used_len;
};

// Runs one request and writes its result: 16 bytes at the beginning of the writable part for a
// create request, one byte at its end for any other (and for a create request whose writable part
// is too short).
ControlResult RunControlRequest(const ring::DescriptorChain& chain, const ControlContext& context,
                                const Framing& framing);

}  // namespace sealane::device
