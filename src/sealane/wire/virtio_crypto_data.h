// SPDX-License-Identifier: Apache-2.0
//
// The fixed parts of data requests (virtio 1.3, 5.9.7.3 to 5.9.7.8), behind the header
// virtio_crypto_op_header. Plain data, little-endian; any bytes are valid. Fields and order are the
// specification's.
//
// Without VIRTIO_CRYPTO_F_REVISION_1 each is padded to kDataFixedSize, with it none is. The
// stateless ones need REVISION_1 and the service's STATELESS_MODE bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::wire {

// Feature bits (5.9.3, as its table has them).
inline constexpr unsigned VIRTIO_CRYPTO_F_REVISION_1 = 0;
inline constexpr unsigned VIRTIO_CRYPTO_F_CIPHER_STATELESS_MODE = 1;
inline constexpr unsigned VIRTIO_CRYPTO_F_HASH_STATELESS_MODE = 2;
inline constexpr unsigned VIRTIO_CRYPTO_F_MAC_STATELESS_MODE = 3;
inline constexpr unsigned VIRTIO_CRYPTO_F_AEAD_STATELESS_MODE = 4;
inline constexpr unsigned VIRTIO_CRYPTO_F_AKCIPHER_STATELESS_MODE = 5;

inline constexpr uint64_t kCryptoFeatures = 0x3f;  // all of these

// In virtio_crypto_op_header::flag.
inline constexpr uint32_t VIRTIO_CRYPTO_FLAG_SESSION_MODE = 1;

inline constexpr uint32_t VIRTIO_CRYPTO_HASH = Opcode(VIRTIO_CRYPTO_SERVICE_HASH, 0x00);
inline constexpr uint32_t VIRTIO_CRYPTO_MAC = Opcode(VIRTIO_CRYPTO_SERVICE_MAC, 0x00);
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_ENCRYPT = Opcode(VIRTIO_CRYPTO_SERVICE_AEAD, 0x00);
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_DECRYPT = Opcode(VIRTIO_CRYPTO_SERVICE_AEAD, 0x01);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_ENCRYPT =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x00);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_DECRYPT =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x01);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_SIGN =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x02);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_VERIFY =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x03);

inline constexpr size_t kDataFixedSize = 48;
inline constexpr size_t kMaxDataFixedSize = 76;

struct virtio_crypto_cipher_data_flf {
  Le32 iv_len;
  Le32 src_data_len;
  Le32 dst_data_len;
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_cipher_data_flf) == 16);

struct virtio_crypto_alg_chain_data_flf {
  Le32 iv_len;
  Le32 src_data_len;
  Le32 dst_data_len;
  Le32 cipher_start_src_offset;
  Le32 len_to_cipher;
  Le32 hash_start_src_offset;
  Le32 len_to_hash;
  Le32 aad_len;
  Le32 hash_result_len;
  Le32 reserved;
};
static_assert(sizeof(virtio_crypto_alg_chain_data_flf) == 40);

// One of the two above in its first 40 bytes.
struct virtio_crypto_sym_data_flf {
  virtio_crypto_alg_chain_data_flf u;
  Le32 op_type;  // VIRTIO_CRYPTO_SYM_OP_*
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_sym_data_flf) == 48);

// Of HASH and MAC.
struct virtio_crypto_hash_data_flf {
  Le32 src_data_len;
  Le32 hash_result_len;
};
static_assert(sizeof(virtio_crypto_hash_data_flf) == 8);

struct virtio_crypto_aead_data_flf {
  Le32 iv_len;
  Le32 aad_len;
  Le32 src_data_len;
  Le32 dst_data_len;
  Le32 tag_len;
  Le32 reserved;
};
static_assert(sizeof(virtio_crypto_aead_data_flf) == 24);

struct virtio_crypto_akcipher_data_flf {
  Le32 src_data_len;
  Le32 dst_data_len;
};
static_assert(sizeof(virtio_crypto_akcipher_data_flf) == 8);

// --- Stateless mode: what a session would be made from comes first.

struct virtio_crypto_cipher_sess_para {
  Le32 algo;
  Le32 key_len;
  Le32 op;  // VIRTIO_CRYPTO_OP_*
};

struct virtio_crypto_cipher_data_flf_stateless {
  virtio_crypto_cipher_sess_para sess_para;
  Le32 iv_len;
  Le32 src_data_len;
  Le32 dst_data_len;
};
static_assert(sizeof(virtio_crypto_cipher_data_flf_stateless) == 24);

struct virtio_crypto_hash_sess_para {
  Le32 algo;
  Le32 auth_key_len;
  Le32 hash_mode;  // VIRTIO_CRYPTO_SYM_HASH_MODE_*
};

struct virtio_crypto_alg_chain_data_flf_stateless {
  Le32 alg_chain_order;  // VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_*
  Le32 sess_aad_len;
  virtio_crypto_cipher_sess_para cipher;
  virtio_crypto_hash_sess_para hash;
  virtio_crypto_alg_chain_data_flf data;
};
static_assert(sizeof(virtio_crypto_alg_chain_data_flf_stateless) == 72);

// One of the two above in its first 72 bytes.
struct virtio_crypto_sym_data_flf_stateless {
  virtio_crypto_alg_chain_data_flf_stateless u;
  Le32 op_type;  // VIRTIO_CRYPTO_SYM_OP_*
};
static_assert(sizeof(virtio_crypto_sym_data_flf_stateless) == kMaxDataFixedSize);

struct virtio_crypto_hash_data_flf_stateless {
  Le32 algo;
  Le32 src_data_len;
  Le32 hash_result_len;
  Le32 reserved;
};
static_assert(sizeof(virtio_crypto_hash_data_flf_stateless) == 16);

struct virtio_crypto_mac_data_flf_stateless {
  Le32 algo;
  Le32 auth_key_len;
  Le32 src_data_len;
  Le32 hash_result_len;
};
static_assert(sizeof(virtio_crypto_mac_data_flf_stateless) == 16);

struct virtio_crypto_aead_data_flf_stateless {
  virtio_crypto_cipher_sess_para sess_para;
  Le32 iv_len;
  Le32 tag_len;
  Le32 aad_len;
  Le32 src_data_len;
  Le32 dst_data_len;
};
static_assert(sizeof(virtio_crypto_aead_data_flf_stateless) == 32);

struct virtio_crypto_akcipher_data_flf_stateless {
  Le32 algo;
  Le32 key_type;  // VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_*
  Le32 key_len;
  Le32 padding_algo;  // ECDSA: curve_id
  Le32 hash_algo;
  Le32 src_data_len;
  Le32 dst_data_len;
};
static_assert(sizeof(virtio_crypto_akcipher_data_flf_stateless) == 28);

}  // namespace sealane::wire
