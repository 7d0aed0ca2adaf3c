// SPDX-License-Identifier: Apache-2.0
//
// Requests of every kind as bytes (virtio 1.3, 5.9.7.3 to 5.9.7.8), in session and in stateless
// mode, with and without REVISION_1. Plain ciphers of a session have a quicker way of their own
// (slot_pool.h). All of a request lies in one buffer that the device reads and writes: the result
// takes the source's place, because a device reads before it writes. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sealane/driver/request.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

struct GeneralLayout {
  size_t readable_len = 0;      // from the buffer's beginning on, bytes
  size_t result_offset = 0;     // in the buffer
  size_t result_len = 0;        // payload and tag
  size_t dst_len = 0;           // of the payload
  size_t tag_len = 0;           // behind it
  bool may_be_shorter = false;  // the payload
};

// What a buffer has beyond its payload: room for header, IV, tag and the keys of ciphers. Longer
// keys of stateless requests take room from the payload.
inline constexpr size_t kGeneralOverhead = 448;

// Nothing if the request cannot be expressed: it does not fit the buffer, a length is impossible,
// or it is stateless and REVISION_1 was not negotiated. Does not change the request.
std::optional<GeneralLayout> WriteGeneral(const Request& request, bool revision_1,
                                          std::span<uint8_t> buffer);

// What became of it, the device saying `status` and that it wrote `used_len` bytes. With kOk the
// results are filled.
Status ReadGeneral(const GeneralLayout& layout, std::span<const uint8_t> buffer, Status status,
                   uint32_t used_len, Request& request);

}  // namespace sealane::driver
