// SPDX-License-Identifier: Apache-2.0
//
// vhost-user messages (QEMU docs/interop/vhost-user.rst). Headers and payloads are native-endian by
// that specification, so these are plain integers. The crypto session description is nowhere
// specified: three layouts exist in the field (see docs/architecture.md, "Session layouts").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sealane::wire {

enum : uint32_t {
  VHOST_USER_GET_FEATURES = 1,
  VHOST_USER_SET_FEATURES = 2,
  VHOST_USER_SET_OWNER = 3,
  VHOST_USER_RESET_OWNER = 4,
  VHOST_USER_SET_MEM_TABLE = 5,
  VHOST_USER_SET_LOG_BASE = 6,
  VHOST_USER_SET_LOG_FD = 7,
  VHOST_USER_SET_VRING_NUM = 8,
  VHOST_USER_SET_VRING_ADDR = 9,
  VHOST_USER_SET_VRING_BASE = 10,
  VHOST_USER_GET_VRING_BASE = 11,
  VHOST_USER_SET_VRING_KICK = 12,
  VHOST_USER_SET_VRING_CALL = 13,
  VHOST_USER_SET_VRING_ERR = 14,
  VHOST_USER_GET_PROTOCOL_FEATURES = 15,
  VHOST_USER_SET_PROTOCOL_FEATURES = 16,
  VHOST_USER_GET_QUEUE_NUM = 17,
  VHOST_USER_SET_VRING_ENABLE = 18,
  VHOST_USER_SET_BACKEND_REQ_FD = 21,
  VHOST_USER_GET_CONFIG = 24,
  VHOST_USER_SET_CONFIG = 25,
  VHOST_USER_CREATE_CRYPTO_SESSION = 26,
  VHOST_USER_CLOSE_CRYPTO_SESSION = 27,
  VHOST_USER_RESET_DEVICE = 34,
  VHOST_USER_GET_MAX_MEM_SLOTS = 36,
  VHOST_USER_ADD_MEM_REG = 37,
  VHOST_USER_REM_MEM_REG = 38,
  VHOST_USER_SET_STATUS = 39,
  VHOST_USER_GET_STATUS = 40,
};

// Protocol feature bits (bit numbers).
inline constexpr unsigned VHOST_USER_PROTOCOL_F_MQ = 0;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_LOG_SHMFD = 1;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_REPLY_ACK = 3;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_BACKEND_REQ = 5;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_CRYPTO_SESSION = 7;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_CONFIG = 9;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_BACKEND_SEND_FD = 10;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_INFLIGHT_SHMFD = 12;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_RESET_DEVICE = 13;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_CONFIGURE_MEM_SLOTS = 15;
inline constexpr unsigned VHOST_USER_PROTOCOL_F_STATUS = 16;

// Header.
inline constexpr uint32_t kVhostUserVersion = 1;
inline constexpr uint32_t kVhostUserVersionMask = 0x3;
inline constexpr uint32_t kVhostUserReply = 0x4;
inline constexpr uint32_t kVhostUserNeedReply = 0x8;
struct vhost_user_header {
  uint32_t request;
  uint32_t flags;
  uint32_t size;  // bytes of payload
};
static_assert(sizeof(vhost_user_header) == 12);

// A u64 payload that carries a vring index in bits 0-7; bit 8 says that no descriptor comes with
// it.
inline constexpr uint64_t kVringIndexMask = 0xff;
inline constexpr uint64_t kVringNoFd = 0x100;

struct vhost_vring_state {
  uint32_t index;
  uint32_t num;
};
static_assert(sizeof(vhost_vring_state) == 8);

struct vhost_vring_addr {
  uint32_t index;
  uint32_t flags;
  uint64_t desc_user_addr;  // front-end virtual addresses
  uint64_t used_user_addr;
  uint64_t avail_user_addr;
  uint64_t log_guest_addr;
};
static_assert(sizeof(vhost_vring_addr) == 40);

inline constexpr size_t kMaxMemRegionsPerMessage = 8;
struct vhost_user_memory_region {
  uint64_t guest_phys_addr;
  uint64_t memory_size;
  uint64_t userspace_addr;
  uint64_t mmap_offset;
};
static_assert(sizeof(vhost_user_memory_region) == 32);

struct vhost_user_memory_header {
  uint32_t num_regions;
  uint32_t padding;
};
static_assert(sizeof(vhost_user_memory_header) == 8);

struct vhost_user_mem_reg_msg {
  uint64_t padding;
  vhost_user_memory_region region;
};
static_assert(sizeof(vhost_user_mem_reg_msg) == 40);

struct vhost_user_config_header {
  uint32_t offset;
  uint32_t size;
  uint32_t flags;
};
static_assert(sizeof(vhost_user_config_header) == 12);
inline constexpr size_t kMaxVhostUserConfigSize = 256;

// Session description, layouts L1 and L2 (632 bytes): they differ in where the numbers lie.
inline constexpr size_t kCryptoSessionKeyMax = 64;
inline constexpr size_t kCryptoSessionAuthKeyMax = 512;

struct vhost_user_crypto_session_l1 {  // QEMU <= 7.0, DPDK <= 24.11
  int64_t session_id;
  uint32_t op_code;
  uint32_t cipher_alg;
  uint32_t key_len;
  uint32_t hash_alg;
  uint32_t hash_result_len;
  uint32_t auth_key_len;
  uint32_t add_len;
  uint8_t op_type;
  uint8_t direction;
  uint8_t hash_mode;
  uint8_t alg_chain_order;
  std::array<uint64_t, 2> frontend_pointers;  // heap addresses of the front-end: never used
  std::array<uint8_t, kCryptoSessionKeyMax> key;
  std::array<uint8_t, kCryptoSessionAuthKeyMax> auth_key;
};
static_assert(sizeof(vhost_user_crypto_session_l1) == 632);
static_assert(offsetof(vhost_user_crypto_session_l1, key) == 56);

// The symmetric description that L2 and L3 share, without the leading session_id or op_code.
struct vhost_user_crypto_sym {
  uint32_t cipher_alg;
  uint32_t key_len;
  uint32_t hash_alg;
  uint32_t hash_result_len;
  uint32_t auth_key_len;
  uint32_t add_len;
  uint8_t op_type;
  uint8_t direction;
  uint8_t hash_mode;
  uint8_t alg_chain_order;
  uint32_t padding;
  std::array<uint64_t, 2> frontend_pointers;
  std::array<uint8_t, kCryptoSessionKeyMax> key;
  std::array<uint8_t, kCryptoSessionAuthKeyMax> auth_key;
};
static_assert(sizeof(vhost_user_crypto_sym) == 624);

struct vhost_user_crypto_session_l2 {  // QEMU 7.1 to 8.0
  int64_t session_id;
  vhost_user_crypto_sym sym;
};
static_assert(sizeof(vhost_user_crypto_session_l2) == 632);
static_assert(offsetof(vhost_user_crypto_session_l2, sym.key) == 56);

// The asymmetric description of L3, in the place of the symmetric one.
inline constexpr size_t kCryptoSessionAsymKeyMax = 1024;
struct vhost_user_crypto_asym {
  uint32_t algo;
  uint32_t keytype;
  uint32_t keylen;
  uint32_t padding;
  uint64_t frontend_pointer;
  uint32_t rsa_padding_algo;
  uint32_t rsa_hash_algo;
  std::array<uint8_t, kCryptoSessionAsymKeyMax> key;
};
static_assert(sizeof(vhost_user_crypto_asym) == 1056);
static_assert(offsetof(vhost_user_crypto_asym, key) == 32);

struct vhost_user_crypto_session_l3 {  // QEMU >= 8.1, DPDK >= 25.03
  uint64_t op_code;
  vhost_user_crypto_sym sym;  // shares its place with the asymmetric description
  std::array<uint8_t, 432> asym_rest;
  int64_t session_id;
};
static_assert(sizeof(vhost_user_crypto_session_l3) == 1072);
static_assert(offsetof(vhost_user_crypto_session_l3, session_id) == 1064);
static_assert(sizeof(vhost_user_crypto_asym) ==
              sizeof(vhost_user_crypto_sym) + sizeof(vhost_user_crypto_session_l3::asym_rest));

}  // namespace sealane::wire
