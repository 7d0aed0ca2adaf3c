// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/create_fields.h"

#include <array>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {
namespace {

using ring::RangeCursor;

template <class Wire>
size_t SizeOf(const Framing& framing) {
  return framing.revision_1 ? sizeof(Wire) : wire::kCtrlFixedSize;
}

void TakeCipher(const wire::virtio_crypto_cipher_session_para& para, SessionFields& fields) {
  fields.algo = para.algo.get();
  fields.key_len = para.keylen.get();
  fields.direction = para.op.get();
}

// The first 48 bytes are a chain's, unless it is a cipher alone.
void TakeChain(const wire::virtio_crypto_sym_create_session_req& sym, SessionFields& fields) {
  const auto chain = BeginningOf<wire::virtio_crypto_alg_chain_session_para>(sym);
  TakeCipher(chain.cipher_param, fields);
  fields.chain_order = chain.alg_chain_order.get();
  fields.hash_mode = chain.hash_mode.get();
  // A plain hash has the same layout, with no key.
  fields.hash_algo = chain.mac_param.algo.get();
  fields.result_len = chain.mac_param.hash_result_len.get();
  fields.auth_key_len = chain.mac_param.auth_key_len.get();
}

bool ReadSym(RangeCursor& readable, SessionFields& fields) {
  wire::virtio_crypto_sym_create_session_req sym;
  if (!ReadFixed(readable, sizeof sym, sym)) return false;
  fields.op_type = sym.op_type.get();
  if (fields.op_type == wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING) {
    TakeChain(sym, fields);
  } else {
    TakeCipher(sym.para, fields);
  }
  return true;
}

// With REVISION_1 a hash's parameters are 8 bytes, its algorithm and length alone.
bool ReadHash(RangeCursor& readable, const Framing& framing, SessionFields& fields) {
  std::array<Le32, 2> para;
  if (!ReadFixed(readable, SizeOf<decltype(para)>(framing), para)) return false;
  fields.algo = para[0].get();
  fields.result_len = para[1].get();
  return true;
}

bool ReadMac(RangeCursor& readable, const Framing& framing, SessionFields& fields) {
  wire::virtio_crypto_mac_session_para para;
  if (!ReadFixed(readable, SizeOf<decltype(para)>(framing), para)) return false;
  fields.algo = para.algo.get();
  fields.result_len = para.hash_result_len.get();
  fields.auth_key_len = para.auth_key_len.get();
  return true;
}

bool ReadAead(RangeCursor& readable, const Framing& framing, SessionFields& fields) {
  wire::virtio_crypto_aead_session_para para;
  if (!ReadFixed(readable, SizeOf<decltype(para)>(framing), para)) return false;
  fields.algo = para.algo.get();
  fields.key_len = para.key_len.get();
  fields.result_len = para.hash_result_len.get();
  fields.direction = para.op.get();
  return true;
}

// The algorithm's own parameters fill 44 bytes, with REVISION_1 too.
bool ReadAkcipher(RangeCursor& readable, SessionFields& fields) {
  wire::virtio_crypto_akcipher_session_para para;
  if (!ReadFixed(readable, wire::kCtrlFixedSize, para)) return false;
  fields.algo = para.algo.get();
  fields.key_type = para.keytype.get();
  fields.key_len = para.keylen.get();
  fields.padding_or_curve = para.padding_algo.get();
  fields.rsa_hash = para.hash_algo.get();
  return true;
}

bool Read(RangeCursor& readable, const Framing& framing, SessionFields& fields) {
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
      return ReadSym(readable, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_HASH:
      return ReadHash(readable, framing, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_MAC:
      return ReadMac(readable, framing, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return ReadAead(readable, framing, fields);
    default:
      return ReadAkcipher(readable, fields);
  }
}

}  // namespace

std::optional<uint32_t> CreatedService(uint32_t opcode) {
  switch (opcode) {
    case wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION:
    case wire::VIRTIO_CRYPTO_HASH_CREATE_SESSION:
    case wire::VIRTIO_CRYPTO_MAC_CREATE_SESSION:
    case wire::VIRTIO_CRYPTO_AEAD_CREATE_SESSION:
    case wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION:
      return opcode >> 8;
    default:
      return std::nullopt;
  }
}

bool IsDestroy(uint32_t opcode) {
  switch (opcode) {
    case wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION:
    case wire::VIRTIO_CRYPTO_HASH_DESTROY_SESSION:
    case wire::VIRTIO_CRYPTO_MAC_DESTROY_SESSION:
    case wire::VIRTIO_CRYPTO_AEAD_DESTROY_SESSION:
    case wire::VIRTIO_CRYPTO_AKCIPHER_DESTROY_SESSION:
      return true;
    default:
      return false;
  }
}

std::optional<SessionFields> ReadCreateFields(RangeCursor& readable, uint32_t service,
                                              const Framing& framing) {
  SessionFields fields{.service = service};
  if (!Read(readable, framing, fields)) return std::nullopt;
  return fields;
}

}  // namespace sealane::device
