// SPDX-License-Identifier: Apache-2.0
//
// Request bytes as the specification lays them out (virtio 1.3, 5.9.7), for tests that play the
// driver. Every number can be set to something wrong. Plain values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::testing {

struct CreateCipher {
  uint32_t opcode = wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION;
  uint32_t algo = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC;
  uint32_t key_len = 16;
  uint32_t direction = wire::VIRTIO_CRYPTO_OP_ENCRYPT;
  uint32_t op_type = wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;

  std::vector<uint8_t> Bytes() const;  // 72; the key follows in the chain
};

struct DestroySession {
  uint32_t opcode = wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION;
  uint64_t session_id = 0;

  std::vector<uint8_t> Bytes() const;  // 72
};

struct CipherRequest {
  uint32_t opcode = wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT;
  uint64_t session_id = 0;
  uint32_t iv_len = 16;
  uint32_t src_len = 0;
  uint32_t dst_len = 0;
  uint32_t op_type = wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;

  std::vector<uint8_t> Bytes() const;  // 72; IV and source follow in the chain
};

}  // namespace sealane::testing
