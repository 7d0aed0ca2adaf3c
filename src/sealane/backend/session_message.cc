// SPDX-License-Identifier: Apache-2.0
#include "sealane/backend/session_message.h"

#include <utility>
#include <variant>

#include "sealane/device/algorithm_map.h"
#include "sealane/device/status_map.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::backend {
namespace {

using crypto::Status;

std::expected<uint64_t, Status> Create(device::CryptoDevice& device,
                                       std::span<const uint8_t> payload) {
  auto description = vhost_user::DecodeCryptoSession(payload);
  if (!description.has_value()) return std::unexpected(Status::kError);
  auto* const symmetric = std::get_if<vhost_user::SymmetricSession>(&description->session);
  if (symmetric == nullptr || description->op_code != wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION ||
      symmetric->op_type != wire::VIRTIO_CRYPTO_SYM_OP_CIPHER) {
    return std::unexpected(Status::kNotSupported);
  }
  auto params = device::CipherSessionFromWire(symmetric->cipher_alg, symmetric->direction,
                                              std::move(symmetric->key));
  if (!params.has_value()) return std::unexpected(params.error());
  return device.CreateSession(std::move(*params));
}

}  // namespace

int64_t CreateSessionFromMessage(device::CryptoDevice& device, std::span<const uint8_t> payload) {
  const auto created = Create(device, payload);
  if (!created.has_value()) return -int64_t{device::ToWire(created.error())};
  return static_cast<int64_t>(*created);
}

}  // namespace sealane::backend
