// SPDX-License-Identifier: Apache-2.0
//
// Mode: which of the two personalities a connection uses (docs/adr/0007-mode-selection.md).
#pragma once

#include <cstdint>
#include <optional>

#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::backend {

enum class Mode : uint8_t {
  kCryptodev,  // the front-end keeps control queue and config space and sends sessions as messages
               // (QEMU)
  kDevice,     // all queues arrive as rings, features are negotiated for real
};

// By what was acknowledged. QEMU acknowledges every bit that it knows for any device type, so
// CRYPTO_SESSION alone says nothing; but it has no use for CONFIG here and drops it.
constexpr Mode SelectMode(uint64_t protocol_features, std::optional<Mode> forced) {
  if (forced) return *forced;
  const bool crypto_session =
      wire::HasFeature(protocol_features, wire::VHOST_USER_PROTOCOL_F_CRYPTO_SESSION);
  const bool config = wire::HasFeature(protocol_features, wire::VHOST_USER_PROTOCOL_F_CONFIG);
  return crypto_session && !config ? Mode::kCryptodev : Mode::kDevice;
}

}  // namespace sealane::backend
