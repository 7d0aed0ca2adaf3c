// SPDX-License-Identifier: Apache-2.0
//
// The names of all algorithms of `sealane run` but ciphers, which have a table of their own
// (cipher_names.h). Constant tables; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sealane/driver/request.h"

namespace sealane::cli {

struct ServiceAlgorithm {
  std::string_view name;  // "hmac-sha256"
  driver::RequestKind kind = driver::RequestKind::kHash;
  uint32_t algorithm = 0;   // VIRTIO_CRYPTO_HASH_*, _MAC_*, _AEAD_* or _AKCIPHER_*
  size_t key_len = 0;       // bytes; 0: none, or several
  uint32_t result_len = 0;  // bytes of digest, MAC or tag; 0: any, and must be said
  uint32_t curve = 0;       // ECDSA: VIRTIO_CRYPTO_CURVE_*
};

std::span<const ServiceAlgorithm> ServiceAlgorithms();

// Null if there is none of that name.
const ServiceAlgorithm* FindServiceAlgorithm(std::string_view name);

}  // namespace sealane::cli
