// SPDX-License-Identifier: Apache-2.0
//
// Sessions by message (cryptodev mode): from the payload of CREATE_CRYPTO_SESSION to a session of
// the device.
#pragma once

#include <cstdint>
#include <span>

#include "sealane/device/crypto_device.h"

namespace sealane::backend {

// The new session's id, or a virtio-crypto status negated.
int64_t CreateSessionFromMessage(device::CryptoDevice& device, std::span<const uint8_t> payload);

}  // namespace sealane::backend
