// SPDX-License-Identifier: Apache-2.0
//
// Status: how one operation ended. A byte, no text, no allocation: it is made on the data path.
// device/status_map.h is the only place that knows its virtio numbers.
#pragma once

#include <cstdint>

namespace sealane::crypto {

enum class Status : uint8_t {
  kOk,
  kError,           // malformed request, or the engine failed
  kBadMessage,      // authentication failed
  kNotSupported,    // an algorithm or operation that is not offered
  kInvalidSession,  // no such session
  kNoSpace,         // a stated limit is reached
  kKeyRejected,     // the key or signature was examined and refused
};

}  // namespace sealane::crypto
