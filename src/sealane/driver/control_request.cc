// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/control_request.h"

#include <algorithm>
#include <bit>
#include <variant>

namespace sealane::driver {
namespace {

constexpr size_t kHeaderLen = sizeof(wire::virtio_crypto_ctrl_header);

Le32 Length(std::span<const uint8_t> key) { return Le32(static_cast<uint32_t>(key.size())); }

template <class Wire>
void Put(std::array<uint8_t, sizeof(wire::virtio_crypto_sym_create_ctrl)>& fixed, size_t offset,
         const Wire& value) {
  static_assert(sizeof(Wire) <= wire::kCtrlFixedSize);
  std::ranges::copy(std::bit_cast<std::array<uint8_t, sizeof value>>(value),
                    fixed.begin() + static_cast<std::ptrdiff_t>(offset));
}

// A request whose body is `body`.
template <class Body>
ControlRequest Request(uint32_t opcode, uint32_t algorithm, const Body& body) {
  ControlRequest request;
  wire::virtio_crypto_ctrl_header header{};
  header.opcode.set(opcode);
  header.algo.set(algorithm);
  Put(request.fixed, 0, header);
  Put(request.fixed, kHeaderLen, body);
  return request;
}

// The kind of a symmetric session stands behind its parameters.
void SetOpType(ControlRequest& request, uint32_t op_type) {
  constexpr size_t kOffset = offsetof(wire::virtio_crypto_sym_create_session_req, op_type);
  Put(request.fixed, kHeaderLen + kOffset, Le32(op_type));
}

wire::virtio_crypto_cipher_session_para CipherPara(const CipherSessionParams& params) {
  return {.algo = Le32(params.algorithm),
          .keylen = Length(params.key),
          .op = Le32(WireDirection(params.direction)),
          .padding = Le32(0)};
}

wire::virtio_crypto_mac_session_para MacPara(const MacSessionParams& params) {
  return {.algo = Le32(params.algorithm),
          .hash_result_len = Le32(params.result_len),
          .auth_key_len = Length(params.key),
          .padding = Le32(0)};
}

// The same layout with no key.
wire::virtio_crypto_mac_session_para HashPara(const HashSessionParams& params) {
  return MacPara({.algorithm = params.algorithm, .result_len = params.result_len, .key = {}});
}

bool IsLength(std::span<const uint8_t> key, size_t max) {
  return !key.empty() && key.size() <= max;
}

struct Encoder {
  using Encoded = std::optional<ControlRequest>;

  Encoded operator()(const CipherSessionParams& params) const {
    if (!IsLength(params.key, kMaxKeyLen)) return std::nullopt;
    ControlRequest request =
        Request(wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION, params.algorithm, CipherPara(params));
    SetOpType(request, wire::VIRTIO_CRYPTO_SYM_OP_CIPHER);
    request.keys = {params.key};
    return request;
  }

  Encoded operator()(const ChainSessionParams& params) const {
    if (!IsLength(params.cipher.key, kMaxKeyLen)) return std::nullopt;
    const auto* mac = std::get_if<MacSessionParams>(&params.hash);
    if (mac != nullptr && !IsLength(mac->key, kMaxAuthKeyLen)) return std::nullopt;
    const wire::virtio_crypto_alg_chain_session_para para{
        .alg_chain_order =
            Le32(params.hash_first ? wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_HASH_THEN_CIPHER
                                   : wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_CIPHER_THEN_HASH),
        .hash_mode = Le32(mac != nullptr ? wire::VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH
                                         : wire::VIRTIO_CRYPTO_SYM_HASH_MODE_PLAIN),
        .cipher_param = CipherPara(params.cipher),
        .mac_param =
            mac != nullptr ? MacPara(*mac) : HashPara(std::get<HashSessionParams>(params.hash)),
        .aad_len = Le32(params.aad_len),
        .padding = Le32(0)};
    ControlRequest request =
        Request(wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION, params.cipher.algorithm, para);
    SetOpType(request, wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING);
    request.keys[0] = params.cipher.key;
    if (mac != nullptr) request.keys[1] = mac->key;
    return request;
  }

  Encoded operator()(const HashSessionParams& params) const {
    return Request(wire::VIRTIO_CRYPTO_HASH_CREATE_SESSION, params.algorithm, HashPara(params));
  }

  Encoded operator()(const MacSessionParams& params) const {
    if (!IsLength(params.key, kMaxAuthKeyLen)) return std::nullopt;
    ControlRequest request =
        Request(wire::VIRTIO_CRYPTO_MAC_CREATE_SESSION, params.algorithm, MacPara(params));
    request.keys = {params.key};
    return request;
  }

  Encoded operator()(const AeadSessionParams& params) const {
    if (!IsLength(params.key, kMaxKeyLen)) return std::nullopt;
    const wire::virtio_crypto_aead_session_para para{.algo = Le32(params.algorithm),
                                                     .key_len = Length(params.key),
                                                     .hash_result_len = Le32(params.tag_len),
                                                     .aad_len = Le32(params.aad_len),
                                                     .op = Le32(WireDirection(params.direction)),
                                                     .padding = Le32(0)};
    ControlRequest request =
        Request(wire::VIRTIO_CRYPTO_AEAD_CREATE_SESSION, params.algorithm, para);
    request.keys = {params.key};
    return request;
  }

  Encoded operator()(const AkcipherSessionParams& params) const {
    if (!IsLength(params.key, kMaxAkcipherKeyLen)) return std::nullopt;
    const wire::virtio_crypto_akcipher_session_para para{
        .algo = Le32(params.algorithm),
        .keytype = Le32(params.is_private ? wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PRIVATE
                                          : wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PUBLIC),
        .keylen = Length(params.key),
        .padding_algo = Le32(params.padding_or_curve),
        .hash_algo = Le32(params.hash)};
    ControlRequest request =
        Request(wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION, params.algorithm, para);
    request.keys = {params.key};
    return request;
  }
};

uint32_t DestroyOpcode(Service service) {
  switch (service) {
    case Service::kCipher:
      return wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION;
    case Service::kHash:
      return wire::VIRTIO_CRYPTO_HASH_DESTROY_SESSION;
    case Service::kMac:
      return wire::VIRTIO_CRYPTO_MAC_DESTROY_SESSION;
    case Service::kAead:
      return wire::VIRTIO_CRYPTO_AEAD_DESTROY_SESSION;
    case Service::kAkcipher:
      return wire::VIRTIO_CRYPTO_AKCIPHER_DESTROY_SESSION;
  }
  return wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION;
}

// Of a create request's fixed part with REVISION_1, bytes. A hash's parameters are two words there;
// those of an asymmetric algorithm fill what the longest would.
size_t UnpaddedLen(Service service) {
  switch (service) {
    case Service::kHash:
      return 2 * sizeof(Le32);
    case Service::kMac:
      return sizeof(wire::virtio_crypto_mac_session_para);
    case Service::kAead:
      return sizeof(wire::virtio_crypto_aead_session_para);
    case Service::kCipher:
    case Service::kAkcipher:
      break;
  }
  return wire::kCtrlFixedSize;
}

}  // namespace

std::optional<ControlRequest> EncodeCreate(const SessionParams& params, bool revision_1) {
  auto request = std::visit(Encoder{}, params);
  if (request && revision_1) request->fixed_len = kHeaderLen + UnpaddedLen(ServiceOf(params));
  return request;
}

ControlRequest EncodeDestroy(Service service, SessionId session, bool revision_1) {
  ControlRequest request = Request(DestroyOpcode(service), 0, Le64(static_cast<uint64_t>(session)));
  if (revision_1) request.fixed_len = kHeaderLen + sizeof(Le64);
  return request;
}

}  // namespace sealane::driver
