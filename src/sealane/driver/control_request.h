// SPDX-License-Identifier: Apache-2.0
//
// Control requests as bytes (virtio 1.3, 5.9.7.2): header and fixed part, then the keys. Without
// REVISION_1 the fixed part is padded to 56 bytes.
// Every control operation of the specification is here, whatever devices offer. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sealane/driver/session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

struct ControlRequest {
  std::array<uint8_t, sizeof(wire::virtio_crypto_sym_create_ctrl)> fixed{};
  size_t fixed_len = sizeof(wire::virtio_crypto_sym_create_ctrl);  // of `fixed`, bytes that count
  // The keys in the order of the wire, each possibly empty; they are the caller's memory.
  std::array<std::span<const uint8_t>, 2> keys{};

  std::span<const uint8_t> fixed_bytes() const { return std::span(fixed).first(fixed_len); }
  size_t keys_len() const { return keys[0].size() + keys[1].size(); }
};

// Nothing if a key's length is impossible (session.h).
std::optional<ControlRequest> EncodeCreate(const SessionParams& params, bool revision_1 = false);
ControlRequest EncodeDestroy(Service service, SessionId session, bool revision_1 = false);

}  // namespace sealane::driver
