// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/vhost_user/session_description.h"

#include <utility>
#include <variant>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

vhost_user::SymmetricSession DescribeCipher(const CipherSessionParams& params) {
  vhost_user::SymmetricSession session;
  session.cipher_alg = params.algorithm;
  session.op_type = wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;
  session.direction = static_cast<uint8_t>(WireDirection(params.direction));
  session.key = SecretBytes(params.key);
  return session;
}

vhost_user::SymmetricSession DescribeChain(const ChainSessionParams& params) {
  vhost_user::SymmetricSession session = DescribeCipher(params.cipher);
  session.op_type = wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING;
  session.alg_chain_order = params.hash_first
                                ? wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_HASH_THEN_CIPHER
                                : wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_CIPHER_THEN_HASH;
  session.add_len = params.aad_len;
  if (const auto* hash = std::get_if<HashSessionParams>(&params.hash)) {
    session.hash_mode = wire::VIRTIO_CRYPTO_SYM_HASH_MODE_PLAIN;
    session.hash_alg = hash->algorithm;
    session.hash_result_len = hash->result_len;
  } else {
    const auto& mac = std::get<MacSessionParams>(params.hash);
    session.hash_mode = wire::VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH;
    session.hash_alg = mac.algorithm;
    session.hash_result_len = mac.result_len;
    session.auth_key = SecretBytes(mac.key);
  }
  return session;
}

vhost_user::AsymmetricSession DescribeAkcipher(const AkcipherSessionParams& params) {
  vhost_user::AsymmetricSession session;
  session.algo = params.algorithm;
  session.key_type = params.is_private ? wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PRIVATE
                                       : wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PUBLIC;
  session.rsa_padding_algo = params.padding_or_curve;
  session.rsa_hash_algo = params.hash;
  session.key = SecretBytes(params.key);
  return session;
}

}  // namespace

std::optional<vhost_user::CryptoSessionDescription> DescribeSession(
    const SessionParams& params, vhost_user::CryptoLayout layout) {
  vhost_user::CryptoSessionDescription description;
  description.layout = layout;
  description.op_code = wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION;
  if (const auto* cipher = std::get_if<CipherSessionParams>(&params)) {
    description.session = DescribeCipher(*cipher);
    return description;
  }
  if (const auto* chain = std::get_if<ChainSessionParams>(&params)) {
    description.session = DescribeChain(*chain);
    return description;
  }
  const auto* akcipher = std::get_if<AkcipherSessionParams>(&params);
  constexpr size_t kMaxKeyInMessage = 1024;
  if (akcipher == nullptr || layout != vhost_user::CryptoLayout::kL3 ||
      akcipher->key.size() > kMaxKeyInMessage) {
    return std::nullopt;
  }
  description.op_code = wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION;
  description.session = DescribeAkcipher(*akcipher);
  return description;
}

}  // namespace sealane::driver
