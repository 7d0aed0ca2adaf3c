// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/device_config.h"

namespace sealane::driver {
namespace {

uint64_t Join(Le32 low, Le32 high) { return uint64_t{high.get()} << 32 | low.get(); }

}  // namespace

Result<DeviceConfig> ParseConfig(const wire::virtio_crypto_config& config) {
  if ((config.status.get() & wire::VIRTIO_CRYPTO_S_HW_READY) == 0) {
    return Error{ErrorCode::kUnsupported, "the device is not ready"};
  }
  const uint32_t num_queues = config.max_dataqueues.get();
  if (num_queues == 0 || num_queues > kMaxDataQueues) {
    return Error{ErrorCode::kInvalid, "the device has an impossible number of data queues"};
  }
  return DeviceConfig{
      .max_data_queues = num_queues,
      .services = config.crypto_services.get(),
      .cipher_algorithms = Join(config.cipher_algo_l, config.cipher_algo_h),
      .hash_algorithms = config.hash_algo.get(),
      .mac_algorithms = Join(config.mac_algo_l, config.mac_algo_h),
      .aead_algorithms = config.aead_algo.get(),
      .akcipher_algorithms = config.akcipher_algo.get(),
      .max_cipher_key_len = config.max_cipher_key_len.get(),
      .max_auth_key_len = config.max_auth_key_len.get(),
      .max_size = config.max_size.get(),
  };
}

}  // namespace sealane::driver
