// SPDX-License-Identifier: Apache-2.0
//
// What a session is made from, and the name that the device gives it (virtio 1.3, 5.9.7.2.1).
// Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

// The device's name of a session; means nothing to any other device.
enum class SessionId : uint64_t {};

enum class Operation : uint8_t { kEncrypt, kDecrypt };

constexpr uint32_t WireDirection(Operation direction) {
  return direction == Operation::kEncrypt ? wire::VIRTIO_CRYPTO_OP_ENCRYPT
                                          : wire::VIRTIO_CRYPTO_OP_DECRYPT;
}

inline constexpr size_t kMaxKeyLen = 64;  // bytes; the longest of any cipher here

struct CipherSessionParams {
  uint32_t algorithm = 0;  // VIRTIO_CRYPTO_CIPHER_*
  Operation direction = Operation::kEncrypt;
  std::span<const uint8_t> key;  // 1 to kMaxKeyLen bytes; read during the call only
};

}  // namespace sealane::driver
