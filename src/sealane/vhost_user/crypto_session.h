// SPDX-License-Identifier: Apache-2.0
//
// The payload of CREATE_CRYPTO_SESSION in its three layouts (docs/architecture.md, "Session
// layouts"): which one it is, what it says, and the reply. Used by back-ends to decode and by
// front-ends to encode. Pure functions; whether the algorithm exists and the key fits it is not
// judged here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/secret.h"

namespace sealane::vhost_user {

enum class CryptoLayout : uint8_t {
  kL1,  // QEMU <= 7.0, DPDK <= 24.11
  kL2,  // QEMU 7.1 to 8.0
  kL3,  // QEMU >= 8.1, DPDK >= 25.03
};

// Bytes of a payload in this layout, request and reply alike.
size_t CryptoPayloadSize(CryptoLayout layout);

// A cipher, or a cipher chained with a hash or MAC. Numbers are those of virtio-crypto.
struct SymmetricSession {
  uint32_t cipher_alg = 0;
  uint32_t hash_alg = 0;
  uint32_t hash_result_len = 0;
  uint32_t add_len = 0;
  uint8_t op_type = 0;    // VIRTIO_CRYPTO_SYM_OP_*
  uint8_t direction = 0;  // VIRTIO_CRYPTO_OP_*
  uint8_t hash_mode = 0;
  uint8_t alg_chain_order = 0;
  SecretBytes key;       // at most 64 bytes
  SecretBytes auth_key;  // at most 512 bytes
};

// L3 only.
struct AsymmetricSession {
  uint32_t algo = 0;
  uint32_t key_type = 0;
  uint32_t rsa_padding_algo = 0;
  uint32_t rsa_hash_algo = 0;
  SecretBytes key;  // at most 1024 bytes
};

struct CryptoSessionDescription {
  CryptoLayout layout = CryptoLayout::kL3;
  // The control opcode, such as VIRTIO_CRYPTO_CIPHER_CREATE_SESSION. L2 does not carry it: it is
  // always that one there.
  uint32_t op_code = 0;
  std::variant<SymmetricSession, AsymmetricSession> session;

  bool is_asymmetric() const { return std::holds_alternative<AsymmetricSession>(session); }
};

// Tells the layout and copies everything out. Fails if the size is that of no layout or a length
// exceeds its field.
Result<CryptoSessionDescription> DecodeCryptoSession(std::span<const uint8_t> payload);

// The reply to `request_payload`, of the same size because the front-end insists on it: the session
// id where the layout has it, all else 0 (the request's keys and heap addresses have no business
// in it). A negative id means failure; by custom (DPDK) it is a virtio status negated, such as
// -VIRTIO_CRYPTO_NOTSUPP. Answers payloads of unknown size too.
std::vector<uint8_t> EncodeCryptoSessionReply(std::span<const uint8_t> request_payload, int64_t id);

// For a front-end: the request. Fails if a key does not fit, or if the layout cannot carry the
// session (an asymmetric one in L1 and L2, another opcode in L2).
Result<SecretBytes> EncodeCryptoSession(const CryptoSessionDescription& description);

// For a front-end: the id in a reply, negative if the back-end refused. Fails on a wrong size.
Result<int64_t> DecodeCryptoSessionReply(CryptoLayout layout, std::span<const uint8_t> payload);

}  // namespace sealane::vhost_user
