// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/session_fields.h"

#include <optional>
#include <utility>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {
namespace {

using crypto::HashAlgorithm;
using crypto::Status;
using Params = std::expected<crypto::SessionParams, Status>;

std::optional<crypto::Direction> DirectionFromWire(uint32_t direction) {
  if (direction == wire::VIRTIO_CRYPTO_OP_ENCRYPT) return crypto::Direction::kEncrypt;
  if (direction == wire::VIRTIO_CRYPTO_OP_DECRYPT) return crypto::Direction::kDecrypt;
  return std::nullopt;
}

std::expected<crypto::CipherParams, Status> MakeCipher(const SessionFields& fields,
                                                       SecretBytes key) {
  const auto algorithm = CipherFromWire(fields.algo);
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  const auto direction = DirectionFromWire(fields.direction);
  if (!direction) return std::unexpected(Status::kError);
  return crypto::CipherParams{
      .algorithm = *algorithm, .direction = *direction, .key = std::move(key)};
}

Params MakeHash(uint32_t algo, const SessionFields& fields) {
  const auto algorithm = HashFromWire(algo);
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  return crypto::HashParams{.algorithm = *algorithm, .result_len = fields.result_len};
}

Params MakeMac(uint32_t algo, const SessionFields& fields, SecretBytes auth_key) {
  const auto algorithm = MacFromWire(algo);
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  return crypto::MacParams{
      .algorithm = *algorithm, .result_len = fields.result_len, .key = std::move(auth_key)};
}

Params MakeChain(const SessionFields& fields, SecretBytes key, SecretBytes auth_key) {
  auto cipher = MakeCipher(fields, std::move(key));
  if (!cipher.has_value()) return std::unexpected(cipher.error());
  crypto::ChainParams chain{.cipher = std::move(*cipher), .hash = {}};
  chain.hash_first = fields.chain_order == wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_HASH_THEN_CIPHER;
  if (!chain.hash_first &&
      fields.chain_order != wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_CIPHER_THEN_HASH) {
    return std::unexpected(Status::kError);
  }
  if (fields.hash_mode == wire::VIRTIO_CRYPTO_SYM_HASH_MODE_PLAIN) {
    auto hash = MakeHash(fields.hash_algo, fields);
    if (!hash.has_value()) return hash;
    chain.hash = std::get<crypto::HashParams>(*hash);
  } else if (fields.hash_mode == wire::VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH) {
    auto mac = MakeMac(fields.hash_algo, fields, std::move(auth_key));
    if (!mac.has_value()) return mac;
    chain.hash = std::get<crypto::MacParams>(std::move(*mac));
  } else {
    return std::unexpected(Status::kNotSupported);  // nested, or nothing that exists
  }
  return chain;
}

Params MakeAead(const SessionFields& fields, SecretBytes key) {
  const auto algorithm = AeadFromWire(fields.algo);
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  const auto direction = DirectionFromWire(fields.direction);
  if (!direction) return std::unexpected(Status::kError);
  return crypto::AeadParams{.algorithm = *algorithm,
                            .direction = *direction,
                            .tag_len = fields.result_len,
                            .key = std::move(key)};
}

// Nothing: a hash that nobody offers.
std::optional<HashAlgorithm> RsaHashFromWire(uint32_t number) {
  switch (number) {
    case wire::VIRTIO_CRYPTO_RSA_MD5:
      return HashAlgorithm::kMd5;
    case wire::VIRTIO_CRYPTO_RSA_SHA1:
      return HashAlgorithm::kSha1;
    case wire::VIRTIO_CRYPTO_RSA_SHA224:
      return HashAlgorithm::kSha224;
    case wire::VIRTIO_CRYPTO_RSA_SHA256:
      return HashAlgorithm::kSha256;
    case wire::VIRTIO_CRYPTO_RSA_SHA384:
      return HashAlgorithm::kSha384;
    case wire::VIRTIO_CRYPTO_RSA_SHA512:
      return HashAlgorithm::kSha512;
    default:
      return std::nullopt;
  }
}

Status SetRsa(const SessionFields& fields, crypto::AkcipherParams& params) {
  if (fields.padding_or_curve == wire::VIRTIO_CRYPTO_RSA_RAW_PADDING) return Status::kOk;
  if (fields.padding_or_curve != wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING) {
    return Status::kNotSupported;
  }
  params.padding = crypto::RsaPadding::kPkcs1;
  if (fields.rsa_hash == wire::VIRTIO_CRYPTO_RSA_NO_HASH) return Status::kOk;
  const auto hash = RsaHashFromWire(fields.rsa_hash);
  if (!hash) return Status::kNotSupported;
  params.has_hash = true;
  params.hash = *hash;
  return Status::kOk;
}

Status SetEcdsa(const SessionFields& fields, crypto::AkcipherParams& params) {
  // The curves have consecutive numbers, from P-192 on.
  const uint32_t index = fields.padding_or_curve - wire::VIRTIO_CRYPTO_CURVE_NIST_P192;
  if (index > wire::VIRTIO_CRYPTO_CURVE_NIST_P521 - wire::VIRTIO_CRYPTO_CURVE_NIST_P192) {
    return Status::kNotSupported;
  }
  params.curve = static_cast<crypto::Curve>(index);
  return Status::kOk;
}

Params MakeAkcipher(const SessionFields& fields, SecretBytes key, Compatibility compatibility) {
  auto algorithm = AkcipherFromWire(fields.algo);
  if (compatibility.linux_ecdsa && fields.algo == wire::kLinuxAkcipherEcdsa) {
    algorithm = crypto::AkcipherAlgorithm::kEcdsa;
  }
  if (!algorithm) return std::unexpected(Status::kNotSupported);
  crypto::AkcipherParams params{.algorithm = *algorithm, .key = std::move(key)};
  params.is_private = fields.key_type == wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PRIVATE;
  if (!params.is_private && fields.key_type != wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PUBLIC) {
    return std::unexpected(Status::kError);
  }
  const Status status = *algorithm == crypto::AkcipherAlgorithm::kRsa ? SetRsa(fields, params)
                                                                      : SetEcdsa(fields, params);
  if (status != Status::kOk) return std::unexpected(status);
  return params;
}

bool IsChain(const SessionFields& fields) {
  return fields.service == wire::VIRTIO_CRYPTO_SERVICE_CIPHER &&
         fields.op_type == wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING;
}

size_t MaxKeyLen(const SessionFields& fields) {
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return crypto::kMaxCipherKeyLen;
    case wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER:
      return crypto::kMaxAkcipherKeyLen;
    default:
      return 0;
  }
}

// Of the authentication key that follows. A chain with a plain hash has none, whatever stands in
// the place of its length.
uint32_t AuthKeyLen(const SessionFields& fields) {
  const bool has_one =
      fields.service == wire::VIRTIO_CRYPTO_SERVICE_MAC ||
      (IsChain(fields) && fields.hash_mode == wire::VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH);
  return has_one ? fields.auth_key_len : 0;
}

}  // namespace

Params MakeSessionParams(const SessionFields& fields, SecretBytes key, SecretBytes auth_key,
                         Compatibility compatibility) {
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
      if (IsChain(fields)) return MakeChain(fields, std::move(key), std::move(auth_key));
      if (fields.op_type != wire::VIRTIO_CRYPTO_SYM_OP_CIPHER) break;
      return MakeCipher(fields, std::move(key));
    case wire::VIRTIO_CRYPTO_SERVICE_HASH:
      return MakeHash(fields.algo, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_MAC:
      return MakeMac(fields.algo, fields, std::move(auth_key));
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return MakeAead(fields, std::move(key));
    case wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER:
      return MakeAkcipher(fields, std::move(key), compatibility);
    default:
      break;
  }
  return std::unexpected(Status::kNotSupported);
}

Params ReadSessionParams(const SessionFields& fields, ring::RangeCursor& readable,
                         Compatibility compatibility) {
  const uint32_t auth_key_len = AuthKeyLen(fields);
  if (fields.key_len > MaxKeyLen(fields) || auth_key_len > crypto::kMaxAuthKeyLen) {
    return std::unexpected(Status::kError);
  }
  SecretBytes key(fields.key_len);
  SecretBytes auth_key(auth_key_len);
  if (!readable.CopyOut(key.mutable_bytes()) || !readable.CopyOut(auth_key.mutable_bytes())) {
    return std::unexpected(Status::kError);
  }
  return MakeSessionParams(fields, std::move(key), std::move(auth_key), compatibility);
}

}  // namespace sealane::device
