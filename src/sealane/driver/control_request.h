// SPDX-License-Identifier: Apache-2.0
//
// Control requests as bytes (virtio 1.3, 5.9.7.2): the 72 bytes before the key. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sealane/driver/session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

using ControlRequest = std::array<uint8_t, sizeof(wire::virtio_crypto_sym_create_ctrl)>;

// The key follows in the chain.
ControlRequest EncodeCreateCipher(const CipherSessionParams& params);
ControlRequest EncodeDestroyCipher(SessionId session);

}  // namespace sealane::driver
