// SPDX-License-Identifier: Apache-2.0
//
// Between the algorithm numbers of virtio-crypto (virtio 1.3, 5.9.5) and those of crypto, and from
// there to the device's configuration space. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {

// The wire number of an algorithm.
uint32_t ToWire(crypto::CipherAlgorithm algorithm);
uint32_t ToWire(crypto::HashAlgorithm algorithm);
uint32_t ToWire(crypto::MacAlgorithm algorithm);
uint32_t ToWire(crypto::AeadAlgorithm algorithm);
uint32_t ToWire(crypto::AkcipherAlgorithm algorithm);

// Nothing for a number that names no algorithm which anybody could offer.
std::optional<crypto::CipherAlgorithm> CipherFromWire(uint32_t number);
std::optional<crypto::HashAlgorithm> HashFromWire(uint32_t number);
std::optional<crypto::MacAlgorithm> MacFromWire(uint32_t number);
std::optional<crypto::AeadAlgorithm> AeadFromWire(uint32_t number);
std::optional<crypto::AkcipherAlgorithm> AkcipherFromWire(uint32_t number);

// Where the device may deviate from the specification for a particular driver.
struct Compatibility {
  // Takes the kernel header's number for ECDSA (3) besides the specification's (2).
  bool linux_ecdsa = false;
};

// The configuration space (5.9.4) of a device with this engine: a service is there if any of its
// algorithms is.
wire::virtio_crypto_config MakeConfig(const crypto::EngineCaps& caps, uint32_t num_data_queues,
                                      Compatibility compatibility);

}  // namespace sealane::device
