// SPDX-License-Identifier: Apache-2.0
//
// Between the cipher numbers of virtio-crypto (virtio 1.3, 5.9.5.1) and crypto::CipherAlgorithm,
// and from there to the device's configuration space. Pure functions.
#pragma once

#include <cstdint>
#include <expected>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {

// The wire number of a cipher.
uint32_t CipherToWire(crypto::CipherAlgorithm algorithm);

// What a session is made from, as both front doors (control queue and vhost-user message) decode
// it. Takes the key over. Fails with kNotSupported for a cipher that nobody offers and kError for a
// direction that does not exist.
std::expected<crypto::SessionParams, crypto::Status> CipherSessionFromWire(uint32_t algo,
                                                                           uint32_t direction,
                                                                           SecretBytes key);

// The configuration space (5.9.4) of a device with this engine.
wire::virtio_crypto_config MakeConfig(const crypto::EngineCaps& caps, uint32_t num_data_queues);

}  // namespace sealane::device
