// SPDX-License-Identifier: Apache-2.0
#include "sealane/backend/session_message.h"

#include <utility>
#include <variant>

#include "sealane/device/session_fields.h"
#include "sealane/device/status_map.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::backend {
namespace {

using crypto::Status;

device::SessionFields FieldsOf(const vhost_user::SymmetricSession& session) {
  return {.service = wire::VIRTIO_CRYPTO_SERVICE_CIPHER,
          .op_type = session.op_type,
          .algo = session.cipher_alg,
          .direction = session.direction,
          .hash_algo = session.hash_alg,
          .hash_mode = session.hash_mode,
          .chain_order = session.alg_chain_order,
          .result_len = session.hash_result_len};
}

device::SessionFields FieldsOf(const vhost_user::AsymmetricSession& session) {
  return {.service = wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER,
          .algo = session.algo,
          .key_type = session.key_type,
          .padding_or_curve = session.rsa_padding_algo,
          .rsa_hash = session.rsa_hash_algo};
}

std::expected<uint64_t, Status> Create(device::CryptoDevice& device,
                                       std::span<const uint8_t> payload) {
  auto description = vhost_user::DecodeCryptoSession(payload);
  if (!description.has_value()) return std::unexpected(Status::kError);
  if (auto* symmetric = std::get_if<vhost_user::SymmetricSession>(&description->session)) {
    if (description->op_code != wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION) {
      return std::unexpected(Status::kNotSupported);
    }
    return device.CreateSession(FieldsOf(*symmetric), std::move(symmetric->key),
                                std::move(symmetric->auth_key));
  }
  auto& asymmetric = std::get<vhost_user::AsymmetricSession>(description->session);
  return device.CreateSession(FieldsOf(asymmetric), std::move(asymmetric.key), {});
}

}  // namespace

int64_t CreateSessionFromMessage(device::CryptoDevice& device, std::span<const uint8_t> payload) {
  const auto created = Create(device, payload);
  if (!created.has_value()) return -int64_t{device::ToWire(created.error())};
  return static_cast<int64_t>(*created);
}

}  // namespace sealane::backend
