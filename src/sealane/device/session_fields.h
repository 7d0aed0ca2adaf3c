// SPDX-License-Identifier: Apache-2.0
//
// SessionFields: what a session is to be made from, in the numbers of the wire (virtio 1.3,
// 5.9.7.2.1), whichever way it came: as a control request, a vhost-user message, or inside a
// stateless request. Pure functions.
#pragma once

#include <cstdint>
#include <expected>

#include "sealane/base/secret.h"
#include "sealane/crypto/session.h"
#include "sealane/device/algorithm_map.h"
#include "sealane/ring/range_cursor.h"

namespace sealane::device {

// Which fields count depends on service and op_type.
struct SessionFields {
  uint32_t service = 0;           // VIRTIO_CRYPTO_SERVICE_*
  uint32_t op_type = 0;           // VIRTIO_CRYPTO_SYM_OP_*: CIPHER only
  uint32_t algo = 0;              // of a chain: the cipher's
  uint32_t key_len = 0;           // bytes; of HASH and MAC: none
  uint32_t direction = 0;         // VIRTIO_CRYPTO_OP_*: CIPHER, AEAD
  uint32_t hash_algo = 0;         // chain: of its hash or MAC
  uint32_t hash_mode = 0;         // chain: VIRTIO_CRYPTO_SYM_HASH_MODE_*
  uint32_t chain_order = 0;       // chain: VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_*
  uint32_t auth_key_len = 0;      // bytes; MAC, chain
  uint32_t result_len = 0;        // bytes; of digest, MAC or tag
  uint32_t key_type = 0;          // AKCIPHER: VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_*
  uint32_t padding_or_curve = 0;  // AKCIPHER: VIRTIO_CRYPTO_RSA_*_PADDING or ..._CURVE_*
  uint32_t rsa_hash = 0;          // AKCIPHER: VIRTIO_CRYPTO_RSA_*
};

// kNotSupported: nobody offers such an algorithm or kind. kError: a field has no meaning.
std::expected<crypto::SessionParams, crypto::Status> MakeSessionParams(const SessionFields& fields,
                                                                       SecretBytes key,
                                                                       SecretBytes auth_key,
                                                                       Compatibility compatibility);

// The same with the keys from where the cursor stands. kError also for lengths that no key has, or
// if there are not as many bytes.
std::expected<crypto::SessionParams, crypto::Status> ReadSessionParams(const SessionFields& fields,
                                                                       ring::RangeCursor& readable,
                                                                       Compatibility compatibility);

}  // namespace sealane::device
