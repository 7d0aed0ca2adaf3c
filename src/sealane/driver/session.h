// SPDX-License-Identifier: Apache-2.0
//
// What a session is made from, and the name that the device gives it (virtio 1.3, 5.9.7.2.1).
// Values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

// The device's name of a session; means nothing to any other device.
enum class SessionId : uint64_t {};

// Sessions have one of the first two (ciphers, chains, AEAD); requests of asymmetric sessions have
// any.
enum class Operation : uint8_t { kEncrypt, kDecrypt, kSign, kVerify };

constexpr uint32_t WireDirection(Operation direction) {
  return direction == Operation::kEncrypt ? wire::VIRTIO_CRYPTO_OP_ENCRYPT
                                          : wire::VIRTIO_CRYPTO_OP_DECRYPT;
}

inline constexpr size_t kMaxKeyLen = 64;            // bytes; the longest of any cipher
inline constexpr size_t kMaxAuthKeyLen = 512;       // bytes; the longest that devices offer
inline constexpr size_t kMaxAkcipherKeyLen = 8192;  // bytes; more than RSA with 8192 bits needs

// The services (5.9.5), with their numbers on the wire. A session belongs to one of them.
enum class Service : uint8_t { kCipher, kHash, kMac, kAead, kAkcipher };

// In all of these: algorithms are numbers of the wire (VIRTIO_CRYPTO_CIPHER_*, _HASH_*, _MAC_*,
// _AEAD_*, _AKCIPHER_*), lengths are bytes, and keys are read only while the call that takes them
// runs. A device that does not have the service answers NOTSUPP.

struct CipherSessionParams {
  uint32_t algorithm = 0;
  Operation direction = Operation::kEncrypt;
  std::span<const uint8_t> key;  // 1 to kMaxKeyLen bytes
};

struct HashSessionParams {
  uint32_t algorithm = 0;
  uint32_t result_len = 0;
};

struct MacSessionParams {
  uint32_t algorithm = 0;
  uint32_t result_len = 0;
  std::span<const uint8_t> key;  // 1 to kMaxAuthKeyLen bytes
};

// Algorithm chaining: a cipher and a hash or MAC over the same data. Of the CIPHER service.
struct ChainSessionParams {
  CipherSessionParams cipher;
  std::variant<HashSessionParams, MacSessionParams> hash;
  bool hash_first = false;  // before encryption, that is over the plaintext
  uint32_t aad_len = 0;
};

struct AeadSessionParams {
  uint32_t algorithm = 0;
  Operation direction = Operation::kEncrypt;
  std::span<const uint8_t> key;  // 1 to kMaxKeyLen bytes
  uint32_t tag_len = 0;
  uint32_t aad_len = 0;
};

struct AkcipherSessionParams {
  uint32_t algorithm = 0;
  bool is_private = false;
  std::span<const uint8_t> key;   // DER, 1 to kMaxAkcipherKeyLen bytes
  uint32_t padding_or_curve = 0;  // RSA: VIRTIO_CRYPTO_RSA_*_PADDING; ECDSA: the curve
  uint32_t hash = 0;              // RSA with PKCS#1 padding
};

using SessionParams = std::variant<CipherSessionParams, ChainSessionParams, HashSessionParams,
                                   MacSessionParams, AeadSessionParams, AkcipherSessionParams>;

// By the order of the variant.
constexpr Service ServiceOf(const SessionParams& params) {
  constexpr std::array kServices = {Service::kCipher, Service::kCipher, Service::kHash,
                                    Service::kMac,    Service::kAead,   Service::kAkcipher};
  static_assert(kServices.size() == std::variant_size_v<SessionParams>);
  return kServices[params.index()];
}

}  // namespace sealane::driver
