// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/algorithm_map.h"

#include <array>
#include <optional>

namespace sealane::device {
namespace {

using crypto::CipherAlgorithm;
using crypto::Status;

// In the order of CipherAlgorithm.
constexpr std::array<uint32_t, crypto::kNumCipherAlgorithms> kWireNumbers = {
    wire::VIRTIO_CRYPTO_CIPHER_AES_ECB,  wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
    wire::VIRTIO_CRYPTO_CIPHER_AES_CTR,  wire::VIRTIO_CRYPTO_CIPHER_AES_XTS,
    wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB, wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC,
    wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR,
};

std::optional<CipherAlgorithm> CipherFromWire(uint32_t algo) {
  for (size_t i = 0; i < kWireNumbers.size(); ++i) {
    if (kWireNumbers[i] == algo) return static_cast<CipherAlgorithm>(i);
  }
  return std::nullopt;
}

}  // namespace

uint32_t CipherToWire(CipherAlgorithm algorithm) {
  return kWireNumbers[static_cast<size_t>(algorithm)];
}

std::expected<crypto::SessionParams, Status> CipherSessionFromWire(uint32_t algo,
                                                                   uint32_t direction,
                                                                   SecretBytes key) {
  const auto algorithm = CipherFromWire(algo);
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  if (direction != wire::VIRTIO_CRYPTO_OP_ENCRYPT && direction != wire::VIRTIO_CRYPTO_OP_DECRYPT) {
    return std::unexpected(Status::kError);
  }
  return crypto::SessionParams{.algorithm = *algorithm,
                               .direction = direction == wire::VIRTIO_CRYPTO_OP_ENCRYPT
                                                ? crypto::Direction::kEncrypt
                                                : crypto::Direction::kDecrypt,
                               .key = std::move(key)};
}

wire::virtio_crypto_config MakeConfig(const crypto::EngineCaps& caps, uint32_t num_data_queues) {
  uint32_t ciphers = 0;
  for (size_t i = 0; i < kWireNumbers.size(); ++i) {
    if (caps.Offers(static_cast<CipherAlgorithm>(i))) ciphers |= uint32_t{1} << kWireNumbers[i];
  }
  wire::virtio_crypto_config config{};
  config.status.set(wire::VIRTIO_CRYPTO_S_HW_READY);
  config.max_dataqueues.set(num_data_queues);
  config.crypto_services.set(uint32_t{1} << wire::VIRTIO_CRYPTO_SERVICE_CIPHER);
  config.cipher_algo_l.set(ciphers);
  config.max_cipher_key_len.set(crypto::kMaxCipherKeyLen);
  config.max_size.set(crypto::kMaxPayload);
  return config;
}

}  // namespace sealane::device
