// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/crypto_session.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>

#include "sealane/wire/vhost_user.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::vhost_user {
namespace {

using L1 = wire::vhost_user_crypto_session_l1;
using L2 = wire::vhost_user_crypto_session_l2;
using L3 = wire::vhost_user_crypto_session_l3;
using Sym = wire::vhost_user_crypto_sym;
using Asym = wire::vhost_user_crypto_asym;

constexpr size_t kUnionOffset = offsetof(L3, sym);

// The highest number of a cipher algorithm. Every AES key length is larger.
constexpr uint32_t kMaxCipherAlg = wire::VIRTIO_CRYPTO_CIPHER_ZUC_EEA3;

uint32_t LoadU32(std::span<const uint8_t> bytes, size_t offset) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

// A wire struct that holds keys: wiped when its scope ends.
template <class T>
class Wiped {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  Wiped() = default;
  explicit Wiped(std::span<const uint8_t> bytes) {
    std::memcpy(&value, bytes.first(sizeof value).data(), sizeof value);
  }
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  // SAFETY: the object's own bytes; T is trivially copyable.
  ~Wiped() { WipeBytes({reinterpret_cast<uint8_t*>(&value), sizeof value}); }

  void StoreTo(std::span<uint8_t> bytes) const {
    std::memcpy(bytes.first(sizeof value).data(), &value, sizeof value);
  }

  T value{};
};

// L1 and L2 have the same size. L1 has the opcode at byte 8, always CIPHER_CREATE_SESSION (2) since
// QEMU lets no other through, and the algorithm at 12; L2 has the algorithm at 8 and the key length
// at 12. A 2 at byte 8 may thus also be L2 with AES-ECB, but an AES key length is no algorithm.
CryptoLayout LayoutOf632Bytes(std::span<const uint8_t> payload) {
  const uint32_t first = LoadU32(payload, offsetof(L1, op_code));
  const uint32_t second = LoadU32(payload, offsetof(L1, cipher_alg));
  return first == wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION && second <= kMaxCipherAlg
             ? CryptoLayout::kL1
             : CryptoLayout::kL2;
}

std::optional<CryptoLayout> LayoutOf(std::span<const uint8_t> payload) {
  if (payload.size() == sizeof(L3)) return CryptoLayout::kL3;
  if (payload.size() == sizeof(L2)) return LayoutOf632Bytes(payload);
  return std::nullopt;
}

// L1's struct and the one that L2 and L3 share name their fields alike.
template <class Fields>
Result<SymmetricSession> DecodeSymmetric(const Fields& fields) {
  if (fields.key_len > fields.key.size()) {
    return Error{ErrorCode::kInvalid, "crypto session with a key of more than 64 bytes"};
  }
  if (fields.auth_key_len > fields.auth_key.size()) {
    return Error{ErrorCode::kInvalid,
                 "crypto session with an authentication key of more than 512 bytes"};
  }
  SymmetricSession session;
  session.cipher_alg = fields.cipher_alg;
  session.hash_alg = fields.hash_alg;
  session.hash_result_len = fields.hash_result_len;
  session.add_len = fields.add_len;
  session.op_type = fields.op_type;
  session.direction = fields.direction;
  session.hash_mode = fields.hash_mode;
  session.alg_chain_order = fields.alg_chain_order;
  session.key = SecretBytes(std::span(fields.key).first(fields.key_len));
  session.auth_key = SecretBytes(std::span(fields.auth_key).first(fields.auth_key_len));
  return session;
}

Result<AsymmetricSession> DecodeAsymmetric(const Asym& fields) {
  if (fields.keylen > fields.key.size()) {
    return Error{ErrorCode::kInvalid, "crypto session with a key of more than 1024 bytes"};
  }
  AsymmetricSession session;
  session.algo = fields.algo;
  session.key_type = fields.keytype;
  session.rsa_padding_algo = fields.rsa_padding_algo;
  session.rsa_hash_algo = fields.rsa_hash_algo;
  session.key = SecretBytes(std::span(fields.key).first(fields.keylen));
  return session;
}

Result<CryptoSessionDescription> DecodeL1(std::span<const uint8_t> payload) {
  const Wiped<L1> fields(payload);
  CryptoSessionDescription description;
  description.layout = CryptoLayout::kL1;
  description.op_code = fields.value.op_code;
  SL_ASSIGN_OR_RETURN(description.session, DecodeSymmetric(fields.value));
  return description;
}

Result<CryptoSessionDescription> DecodeL2(std::span<const uint8_t> payload) {
  const Wiped<Sym> fields(payload.subspan(offsetof(L2, sym)));
  CryptoSessionDescription description;
  description.layout = CryptoLayout::kL2;
  description.op_code = wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION;
  SL_ASSIGN_OR_RETURN(description.session, DecodeSymmetric(fields.value));
  return description;
}

Result<CryptoSessionDescription> DecodeL3(std::span<const uint8_t> payload) {
  CryptoSessionDescription description;
  description.layout = CryptoLayout::kL3;
  // QEMU has 64 bits here, DPDK 32 and padding: the upper half may be anything.
  description.op_code = LoadU32(payload, offsetof(L3, op_code));
  const std::span<const uint8_t> fields = payload.subspan(kUnionOffset);
  if (description.op_code == wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION) {
    const Wiped<Asym> asym(fields);
    SL_ASSIGN_OR_RETURN(description.session, DecodeAsymmetric(asym.value));
  } else {
    const Wiped<Sym> sym(fields);
    SL_ASSIGN_OR_RETURN(description.session, DecodeSymmetric(sym.value));
  }
  return description;
}

template <class Fields>
Result<void> EncodeSymmetric(const SymmetricSession& session, Fields& fields) {
  if (session.key.size() > fields.key.size() || session.auth_key.size() > fields.auth_key.size()) {
    return Error{ErrorCode::kInvalid, "key too long for a crypto session message"};
  }
  fields.cipher_alg = session.cipher_alg;
  fields.key_len = static_cast<uint32_t>(session.key.size());
  fields.hash_alg = session.hash_alg;
  fields.hash_result_len = session.hash_result_len;
  fields.auth_key_len = static_cast<uint32_t>(session.auth_key.size());
  fields.add_len = session.add_len;
  fields.op_type = session.op_type;
  fields.direction = session.direction;
  fields.hash_mode = session.hash_mode;
  fields.alg_chain_order = session.alg_chain_order;
  std::ranges::copy(session.key.bytes(), fields.key.begin());
  std::ranges::copy(session.auth_key.bytes(), fields.auth_key.begin());
  return {};
}

Result<void> EncodeAsymmetric(const AsymmetricSession& session, Asym& fields) {
  if (session.key.size() > fields.key.size()) {
    return Error{ErrorCode::kInvalid, "key too long for a crypto session message"};
  }
  fields.algo = session.algo;
  fields.keytype = session.key_type;
  fields.keylen = static_cast<uint32_t>(session.key.size());
  fields.rsa_padding_algo = session.rsa_padding_algo;
  fields.rsa_hash_algo = session.rsa_hash_algo;
  std::ranges::copy(session.key.bytes(), fields.key.begin());
  return {};
}

Result<void> EncodeL1(const CryptoSessionDescription& description, std::span<uint8_t> out) {
  Wiped<L1> fields;
  fields.value.op_code = description.op_code;
  SL_RETURN_IF_ERROR(
      EncodeSymmetric(std::get<SymmetricSession>(description.session), fields.value));
  fields.StoreTo(out);
  return {};
}

Result<void> EncodeL2(const CryptoSessionDescription& description, std::span<uint8_t> out) {
  if (description.op_code != wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION) {
    return Error{ErrorCode::kUnsupported, "this session layout carries cipher sessions only"};
  }
  Wiped<Sym> fields;
  SL_RETURN_IF_ERROR(
      EncodeSymmetric(std::get<SymmetricSession>(description.session), fields.value));
  fields.StoreTo(out.subspan(offsetof(L2, sym)));
  return {};
}

Result<void> EncodeL3(const CryptoSessionDescription& description, std::span<uint8_t> out) {
  const uint64_t op_code = description.op_code;
  std::memcpy(out.data(), &op_code, sizeof op_code);
  if (const auto* asymmetric = std::get_if<AsymmetricSession>(&description.session)) {
    Wiped<Asym> fields;
    SL_RETURN_IF_ERROR(EncodeAsymmetric(*asymmetric, fields.value));
    fields.StoreTo(out.subspan(kUnionOffset));
    return {};
  }
  Wiped<Sym> fields;
  SL_RETURN_IF_ERROR(
      EncodeSymmetric(std::get<SymmetricSession>(description.session), fields.value));
  fields.StoreTo(out.subspan(kUnionOffset));
  return {};
}

void StoreId(std::span<uint8_t> reply, size_t offset, int64_t id) {
  std::memcpy(reply.subspan(offset, sizeof id).data(), &id, sizeof id);
}

size_t IdOffset(CryptoLayout layout) {
  return layout == CryptoLayout::kL3 ? offsetof(L3, session_id) : 0;
}

}  // namespace

size_t CryptoPayloadSize(CryptoLayout layout) {
  return layout == CryptoLayout::kL3 ? sizeof(L3) : sizeof(L2);
}

Result<CryptoSessionDescription> DecodeCryptoSession(std::span<const uint8_t> payload) {
  const std::optional<CryptoLayout> layout = LayoutOf(payload);
  if (!layout) return Error{ErrorCode::kInvalid, "crypto session description of unknown size"};
  if (*layout == CryptoLayout::kL1) return DecodeL1(payload);
  return *layout == CryptoLayout::kL2 ? DecodeL2(payload) : DecodeL3(payload);
}

std::vector<uint8_t> EncodeCryptoSessionReply(std::span<const uint8_t> request_payload,
                                              int64_t id) {
  std::vector<uint8_t> reply(std::max(request_payload.size(), sizeof id));
  if (const std::optional<CryptoLayout> layout = LayoutOf(request_payload)) {
    StoreId(reply, IdOffset(*layout), id);
    return reply;
  }
  // A layout that we do not know: the id has been first or last in all that exist.
  StoreId(reply, 0, id);
  StoreId(reply, reply.size() - sizeof id, id);
  return reply;
}

Result<SecretBytes> EncodeCryptoSession(const CryptoSessionDescription& description) {
  if (description.is_asymmetric() !=
      (description.op_code == wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION)) {
    return Error{ErrorCode::kInvalid, "crypto session whose opcode and kind do not agree"};
  }
  if (description.is_asymmetric() && description.layout != CryptoLayout::kL3) {
    return Error{ErrorCode::kUnsupported, "this session layout carries no asymmetric session"};
  }
  SecretBytes payload(CryptoPayloadSize(description.layout));
  switch (description.layout) {
    case CryptoLayout::kL1:
      SL_RETURN_IF_ERROR(EncodeL1(description, payload.mutable_bytes()));
      break;
    case CryptoLayout::kL2:
      SL_RETURN_IF_ERROR(EncodeL2(description, payload.mutable_bytes()));
      break;
    case CryptoLayout::kL3:
      SL_RETURN_IF_ERROR(EncodeL3(description, payload.mutable_bytes()));
      break;
  }
  return payload;
}

Result<int64_t> DecodeCryptoSessionReply(CryptoLayout layout, std::span<const uint8_t> payload) {
  if (payload.size() != CryptoPayloadSize(layout)) {
    return Error{ErrorCode::kBroken, "crypto session reply of the wrong size"};
  }
  int64_t id = 0;
  std::memcpy(&id, payload.subspan(IdOffset(layout), sizeof id).data(), sizeof id);
  return id;
}

}  // namespace sealane::vhost_user
