// SPDX-License-Identifier: Apache-2.0
//
// The fixed part of a create request (virtio 1.3, 5.9.7.2.1), for each service. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "sealane/device/framing.h"
#include "sealane/device/session_fields.h"
#include "sealane/ring/range_cursor.h"

namespace sealane::device {

// VIRTIO_CRYPTO_SERVICE_* if the opcode creates a session of it.
std::optional<uint32_t> CreatedService(uint32_t opcode);

// Whether the opcode destroys a session.
bool IsDestroy(uint32_t opcode);

// Reads on behind the header; the keys follow. Nothing if the request is too short.
std::optional<SessionFields> ReadCreateFields(ring::RangeCursor& readable, uint32_t service,
                                              const Framing& framing);

}  // namespace sealane::device
