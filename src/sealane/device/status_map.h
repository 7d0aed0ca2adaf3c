// SPDX-License-Identifier: Apache-2.0
//
// The one mapping from crypto::Status to the status numbers of virtio-crypto (virtio 1.3, 5.9.7).
#pragma once

#include <cstdint>

#include "sealane/crypto/status.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {

constexpr uint8_t ToWire(crypto::Status status) {
  switch (status) {
    case crypto::Status::kOk:
      return wire::VIRTIO_CRYPTO_OK;
    case crypto::Status::kError:
      return wire::VIRTIO_CRYPTO_ERR;
    case crypto::Status::kBadMessage:
      return wire::VIRTIO_CRYPTO_BADMSG;
    case crypto::Status::kNotSupported:
      return wire::VIRTIO_CRYPTO_NOTSUPP;
    case crypto::Status::kInvalidSession:
      return wire::VIRTIO_CRYPTO_INVSESS;
    case crypto::Status::kNoSpace:
      return wire::VIRTIO_CRYPTO_NOSPC;
    case crypto::Status::kKeyRejected:
      return wire::VIRTIO_CRYPTO_KEY_REJECTED;
  }
  return wire::VIRTIO_CRYPTO_ERR;
}

}  // namespace sealane::device
