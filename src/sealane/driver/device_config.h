// SPDX-License-Identifier: Apache-2.0
//
// DeviceConfig: what a device says about itself (virtio 1.3, 5.9.4), read once and checked, in our
// own integers. A value.
#pragma once

#include <cstdint>

#include "sealane/base/result.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

struct DeviceConfig {
  uint32_t max_data_queues = 1;    // 1 to kMaxDataQueues; with a control ring, that is its index
  uint32_t services = 0;           // bit VIRTIO_CRYPTO_SERVICE_*
  uint64_t cipher_algorithms = 0;  // bit VIRTIO_CRYPTO_CIPHER_*
  uint32_t hash_algorithms = 0;
  uint64_t mac_algorithms = 0;
  uint32_t aead_algorithms = 0;
  uint32_t akcipher_algorithms = 0;
  uint32_t max_cipher_key_len = 0;  // bytes
  uint32_t max_auth_key_len = 0;    // bytes
  uint64_t max_size = 0;            // bytes of one request's payload

  bool Offers(uint32_t service) const { return service < 32 && (services >> service & 1U) != 0; }
  bool OffersCipher(uint32_t algorithm) const {
    return algorithm < 64 && (cipher_algorithms >> algorithm & 1U) != 0;
  }
};

// A vhost-user queue index has eight bits, and one is left for the control queue.
inline constexpr uint32_t kMaxDataQueues = 254;

// Refuses a device that is not ready (VIRTIO_CRYPTO_S_HW_READY) or has an impossible number of
// queues.
Result<DeviceConfig> ParseConfig(const wire::virtio_crypto_config& config);

}  // namespace sealane::driver
