// SPDX-License-Identifier: Apache-2.0
//
// virtio-crypto structures and numbers (virtio 1.3, section 5.9). Plain data, little-endian; any
// bytes are valid. Sizes are those of the specification without VIRTIO_CRYPTO_F_REVISION_1, which
// every known peer uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sealane/base/le.h"

namespace sealane::wire {

inline constexpr uint16_t kVirtioIdCrypto = 20;

// Services (5.9.5): the bit number in crypto_services, and the high byte of an opcode.
inline constexpr uint32_t VIRTIO_CRYPTO_SERVICE_CIPHER = 0;
inline constexpr uint32_t VIRTIO_CRYPTO_SERVICE_HASH = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_SERVICE_MAC = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_SERVICE_AEAD = 3;
inline constexpr uint32_t VIRTIO_CRYPTO_SERVICE_AKCIPHER = 4;

constexpr uint32_t Opcode(uint32_t service, uint32_t op) { return (service << 8) | op; }

// Control opcodes (5.9.7.2.1).
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_CREATE_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_CIPHER, 0x02);
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_CIPHER, 0x03);
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_CREATE_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_HASH, 0x02);
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_DESTROY_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_HASH, 0x03);
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_CREATE_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_MAC, 0x02);
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_DESTROY_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_MAC, 0x03);
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_CREATE_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_AEAD, 0x02);
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_DESTROY_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_AEAD, 0x03);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x04);
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_DESTROY_SESSION =
    Opcode(VIRTIO_CRYPTO_SERVICE_AKCIPHER, 0x05);

// Data opcodes (5.9.7.3).
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_ENCRYPT = Opcode(VIRTIO_CRYPTO_SERVICE_CIPHER, 0x00);
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_DECRYPT = Opcode(VIRTIO_CRYPTO_SERVICE_CIPHER, 0x01);

// Status (5.9.7): one byte in a data request, 32 bits in a control result.
inline constexpr uint8_t VIRTIO_CRYPTO_OK = 0;
inline constexpr uint8_t VIRTIO_CRYPTO_ERR = 1;
inline constexpr uint8_t VIRTIO_CRYPTO_BADMSG = 2;
inline constexpr uint8_t VIRTIO_CRYPTO_NOTSUPP = 3;
inline constexpr uint8_t VIRTIO_CRYPTO_INVSESS = 4;
inline constexpr uint8_t VIRTIO_CRYPTO_NOSPC = 5;
inline constexpr uint8_t VIRTIO_CRYPTO_KEY_REJECTED = 6;

// Cipher algorithms (5.9.5.1): bit numbers of cipher_algo_l/h, and the `algo` fields.
inline constexpr uint32_t VIRTIO_CRYPTO_NO_CIPHER = 0;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_ARC4 = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_AES_ECB = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_AES_CBC = 3;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_AES_CTR = 4;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_DES_ECB = 5;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_DES_CBC = 6;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_3DES_ECB = 7;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_3DES_CBC = 8;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_3DES_CTR = 9;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_KASUMI_F8 = 10;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_SNOW3G_UEA2 = 11;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_AES_F8 = 12;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_AES_XTS = 13;
inline constexpr uint32_t VIRTIO_CRYPTO_CIPHER_ZUC_EEA3 = 14;

// Hash algorithms (5.9.5.2): bit numbers of hash_algo, and the `algo` fields.
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_MD5 = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA1 = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA_224 = 3;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA_256 = 4;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA_384 = 5;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA_512 = 6;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_224 = 7;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_256 = 8;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_384 = 9;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_512 = 10;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_SHAKE128 = 11;
inline constexpr uint32_t VIRTIO_CRYPTO_HASH_SHA3_SHAKE256 = 12;

// MAC algorithms (5.9.5.3): bit numbers of mac_algo_l/h, and the `algo` fields.
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_MD5 = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_SHA1 = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_SHA_224 = 3;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_SHA_256 = 4;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_SHA_384 = 5;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_HMAC_SHA_512 = 6;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_CMAC_3DES = 25;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_CMAC_AES = 26;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_KASUMI_F9 = 27;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_SNOW3G_UIA2 = 28;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_GMAC_AES = 41;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_GMAC_TWOFISH = 42;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_CBCMAC_AES = 49;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_CBCMAC_KASUMI_F9 = 50;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_XCBC_AES = 53;
inline constexpr uint32_t VIRTIO_CRYPTO_MAC_ZUC_EIA3 = 54;

// AEAD algorithms (5.9.5.4): bit numbers of aead_algo, and the `algo` fields.
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_GCM = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_CCM = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305 = 3;

// AKCIPHER algorithms (5.9.5.5): bit numbers of akcipher_algo, and the `algo` fields. The kernel's
// header has ECDSA as 3 (ADR 8).
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_RSA = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_ECDSA = 2;
inline constexpr uint32_t kLinuxAkcipherEcdsa = 3;

// Parameters of AKCIPHER sessions (5.9.7.2.1.5).
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_RAW_PADDING = 0;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_PKCS1_PADDING = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_NO_HASH = 0;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_MD5 = 4;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_SHA1 = 5;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_SHA256 = 6;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_SHA384 = 7;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_SHA512 = 8;
inline constexpr uint32_t VIRTIO_CRYPTO_RSA_SHA224 = 9;
inline constexpr uint32_t VIRTIO_CRYPTO_CURVE_NIST_P192 = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_CURVE_NIST_P224 = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_CURVE_NIST_P256 = 3;
inline constexpr uint32_t VIRTIO_CRYPTO_CURVE_NIST_P384 = 4;
inline constexpr uint32_t VIRTIO_CRYPTO_CURVE_NIST_P521 = 5;

// Session direction and the kind of a symmetric operation (5.9.7.2.1, 5.9.7.3).
inline constexpr uint32_t VIRTIO_CRYPTO_OP_ENCRYPT = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_OP_DECRYPT = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_OP_NONE = 0;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_OP_CIPHER = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_HASH_THEN_CIPHER = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_CIPHER_THEN_HASH = 2;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_HASH_MODE_PLAIN = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH = 2;

// Kinds of keys of the AKCIPHER service (5.9.7.2.1).
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PUBLIC = 1;
inline constexpr uint32_t VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PRIVATE = 2;

// Device configuration space (5.9.4).
inline constexpr uint32_t VIRTIO_CRYPTO_S_HW_READY = 1;
struct virtio_crypto_config {
  Le32 status;
  Le32 max_dataqueues;
  Le32 crypto_services;
  Le32 cipher_algo_l;
  Le32 cipher_algo_h;
  Le32 hash_algo;
  Le32 mac_algo_l;
  Le32 mac_algo_h;
  Le32 aead_algo;
  Le32 max_cipher_key_len;  // bytes
  Le32 max_auth_key_len;    // bytes
  Le32 akcipher_algo;
  Le64 max_size;  // bytes of one request's variable part
};
static_assert(sizeof(virtio_crypto_config) == 56);
static_assert(std::has_unique_object_representations_v<virtio_crypto_config>);

// Control request: header, a fixed part padded to 56 bytes, then the keys (5.9.7.2).
struct virtio_crypto_ctrl_header {
  Le32 opcode;
  Le32 algo;
  Le32 flag;
  Le32 reserved;  // the kernel's header calls it queue_id; the specification gives it no meaning
};
static_assert(sizeof(virtio_crypto_ctrl_header) == 16);

inline constexpr size_t kCtrlFixedSize = 56;

struct virtio_crypto_cipher_session_para {
  Le32 algo;
  Le32 keylen;  // bytes
  Le32 op;      // VIRTIO_CRYPTO_OP_*
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_cipher_session_para) == 16);

struct virtio_crypto_sym_create_session_req {
  virtio_crypto_cipher_session_para para;  // algorithm chaining uses more of the 48 bytes
  std::array<uint8_t, 32> chain_rest;
  Le32 op_type;  // VIRTIO_CRYPTO_SYM_OP_*
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_sym_create_session_req) == kCtrlFixedSize);

struct virtio_crypto_sym_create_ctrl {
  virtio_crypto_ctrl_header header;
  virtio_crypto_sym_create_session_req u;
};
static_assert(sizeof(virtio_crypto_sym_create_ctrl) == 72);
static_assert(std::has_unique_object_representations_v<virtio_crypto_sym_create_ctrl>);

// What the other services have in place of virtio_crypto_sym_create_session_req, each padded to 56
// bytes (5.9.7.2.1).
struct virtio_crypto_hash_session_para {
  Le32 algo;
  Le32 hash_result_len;  // bytes
  std::array<uint8_t, 8> padding;
};
static_assert(sizeof(virtio_crypto_hash_session_para) == 16);

struct virtio_crypto_mac_session_para {
  Le32 algo;
  Le32 hash_result_len;  // bytes
  Le32 auth_key_len;     // bytes
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_mac_session_para) == 16);

// The first 48 bytes of virtio_crypto_sym_create_session_req with ALGORITHM_CHAINING.
struct virtio_crypto_alg_chain_session_para {
  Le32 alg_chain_order;  // VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_*
  Le32 hash_mode;        // VIRTIO_CRYPTO_SYM_HASH_MODE_*
  virtio_crypto_cipher_session_para cipher_param;
  virtio_crypto_mac_session_para mac_param;  // or a virtio_crypto_hash_session_para
  Le32 aad_len;                              // bytes
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_alg_chain_session_para) == 48);

struct virtio_crypto_aead_session_para {
  Le32 algo;
  Le32 key_len;          // bytes
  Le32 hash_result_len;  // bytes of the tag
  Le32 aad_len;          // bytes
  Le32 op;               // VIRTIO_CRYPTO_OP_*
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_aead_session_para) == 24);

struct virtio_crypto_akcipher_session_para {
  Le32 algo;
  Le32 keytype;       // VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_*
  Le32 keylen;        // bytes of DER
  Le32 padding_algo;  // RSA: VIRTIO_CRYPTO_RSA_*_PADDING; ECDSA: the curve_id
  Le32 hash_algo;     // RSA: VIRTIO_CRYPTO_RSA_*; ECDSA: 0
};
static_assert(sizeof(virtio_crypto_akcipher_session_para) == 20);

// Every destroy request begins like this; without REVISION_1 it is padded to 72 bytes.
struct virtio_crypto_destroy_ctrl {
  virtio_crypto_ctrl_header header;
  Le64 session_id;
};
static_assert(sizeof(virtio_crypto_destroy_ctrl) == 24);
static_assert(std::has_unique_object_representations_v<virtio_crypto_destroy_ctrl>);

// Result of every create request; a destroy request's result is one status byte.
struct virtio_crypto_session_input {
  Le64 session_id;
  Le32 status;
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_session_input) == 16);
static_assert(std::has_unique_object_representations_v<virtio_crypto_session_input>);

// Data request: header, a fixed part padded to 48 bytes, then iv and source; the device writes the
// destination and one status byte (5.9.7.3).
struct virtio_crypto_op_header {
  Le32 opcode;
  Le32 algo;  // 0 from Linux: the session decides
  Le64 session_id;
  Le32 flag;
  Le32 padding;
};
static_assert(sizeof(virtio_crypto_op_header) == 24);

struct virtio_crypto_sym_data_req {
  Le32 iv_len;
  Le32 src_data_len;
  Le32 dst_data_len;
  Le32 padding;
  std::array<uint8_t, 24> chain_rest;
  Le32 op_type;  // VIRTIO_CRYPTO_SYM_OP_*
  Le32 padding2;
};
static_assert(sizeof(virtio_crypto_sym_data_req) == 48);

struct virtio_crypto_sym_op {
  virtio_crypto_op_header header;
  virtio_crypto_sym_data_req u;
};
static_assert(sizeof(virtio_crypto_sym_op) == 72);
static_assert(std::has_unique_object_representations_v<virtio_crypto_sym_op>);

}  // namespace sealane::wire
