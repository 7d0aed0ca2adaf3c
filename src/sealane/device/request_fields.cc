// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/request_fields.h"

#include <array>

#include "sealane/wire/virtio_crypto_data.h"

namespace sealane::device {
namespace {

using crypto::SessionKind;
using crypto::Status;
using ring::RangeCursor;

constexpr uint32_t kNumServices = 5;

bool IsOpcode(uint32_t service, uint32_t op) {
  // How many operations each service has, by its number.
  constexpr std::array<uint32_t, kNumServices> kNumOps = {2, 1, 1, 2, 4};
  return service < kNumServices && op < kNumOps[service];
}

template <class Wire>
size_t SizeOf(const Framing& framing) {
  return framing.revision_1 ? sizeof(Wire) : wire::kDataFixedSize;
}

void TakeCipher(const wire::virtio_crypto_alg_chain_data_flf& flf, RequestFields& fields) {
  fields.iv_len = flf.iv_len.get();
  fields.src_len = flf.src_data_len.get();
  fields.dst_len = flf.dst_data_len.get();
}

void TakeChain(const wire::virtio_crypto_alg_chain_data_flf& flf, RequestFields& fields) {
  TakeCipher(flf, fields);  // these begin alike
  fields.cipher_range = {.offset = flf.cipher_start_src_offset.get(),
                         .len = flf.len_to_cipher.get()};
  fields.hash_range = {.offset = flf.hash_start_src_offset.get(), .len = flf.len_to_hash.get()};
  fields.aad_len = flf.aad_len.get();
  fields.result_len = flf.hash_result_len.get();
}

bool ReadSym(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_sym_data_flf flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  fields.op_type = flf.op_type.get();
  if (fields.is_chain()) {
    TakeChain(flf.u, fields);
  } else {
    TakeCipher(flf.u, fields);
  }
  return true;
}

bool ReadHash(RangeCursor& readable, const Framing& framing, RequestFields& fields) {
  wire::virtio_crypto_hash_data_flf flf;
  if (!ReadFixed(readable, SizeOf<decltype(flf)>(framing), flf)) return false;
  fields.src_len = flf.src_data_len.get();
  fields.result_len = flf.hash_result_len.get();
  return true;
}

bool ReadAead(RangeCursor& readable, const Framing& framing, RequestFields& fields) {
  wire::virtio_crypto_aead_data_flf flf;
  if (!ReadFixed(readable, SizeOf<decltype(flf)>(framing), flf)) return false;
  fields.iv_len = flf.iv_len.get();
  fields.aad_len = flf.aad_len.get();
  fields.src_len = flf.src_data_len.get();
  fields.dst_len = flf.dst_data_len.get();
  fields.result_len = flf.tag_len.get();
  return true;
}

bool ReadAkcipher(RangeCursor& readable, const Framing& framing, RequestFields& fields) {
  wire::virtio_crypto_akcipher_data_flf flf;
  if (!ReadFixed(readable, SizeOf<decltype(flf)>(framing), flf)) return false;
  fields.src_len = flf.src_data_len.get();
  fields.dst_len = flf.dst_data_len.get();
  return true;
}

bool ReadSessionMode(RangeCursor& readable, const Framing& framing, RequestFields& fields) {
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
      return ReadSym(readable, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return ReadAead(readable, framing, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER:
      return ReadAkcipher(readable, framing, fields);
    default:
      return ReadHash(readable, framing, fields);
  }
}

void TakePara(const wire::virtio_crypto_cipher_sess_para& para, SessionFields& session) {
  session.algo = para.algo.get();
  session.key_len = para.key_len.get();
  session.direction = para.op.get();
}

// A cipher's lengths stand where a chain has other things, so the layout is read twice.
bool ReadStatelessSym(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_sym_data_flf_stateless flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  fields.op_type = fields.session.op_type = flf.op_type.get();
  if (fields.is_chain()) {
    TakePara(flf.u.cipher, fields.session);
    fields.session.chain_order = flf.u.alg_chain_order.get();
    fields.session.hash_algo = flf.u.hash.algo.get();
    fields.session.auth_key_len = flf.u.hash.auth_key_len.get();
    fields.session.hash_mode = flf.u.hash.hash_mode.get();
    TakeChain(flf.u.data, fields);
    return true;
  }
  const auto cipher = BeginningOf<wire::virtio_crypto_cipher_data_flf_stateless>(flf);
  TakePara(cipher.sess_para, fields.session);
  fields.iv_len = cipher.iv_len.get();
  fields.src_len = cipher.src_data_len.get();
  fields.dst_len = cipher.dst_data_len.get();
  return true;
}

bool ReadStatelessHash(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_hash_data_flf_stateless flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  fields.session.algo = flf.algo.get();
  fields.src_len = flf.src_data_len.get();
  fields.result_len = flf.hash_result_len.get();
  return true;
}

bool ReadStatelessMac(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_mac_data_flf_stateless flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  fields.session.algo = flf.algo.get();
  fields.session.auth_key_len = flf.auth_key_len.get();
  fields.src_len = flf.src_data_len.get();
  fields.result_len = flf.hash_result_len.get();
  return true;
}

bool ReadStatelessAead(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_aead_data_flf_stateless flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  TakePara(flf.sess_para, fields.session);
  fields.iv_len = flf.iv_len.get();
  fields.result_len = flf.tag_len.get();
  fields.aad_len = flf.aad_len.get();
  fields.src_len = flf.src_data_len.get();
  fields.dst_len = flf.dst_data_len.get();
  return true;
}

bool ReadStatelessAkcipher(RangeCursor& readable, RequestFields& fields) {
  wire::virtio_crypto_akcipher_data_flf_stateless flf;
  if (!ReadFixed(readable, sizeof flf, flf)) return false;
  fields.session.algo = flf.algo.get();
  fields.session.key_type = flf.key_type.get();
  fields.session.key_len = flf.key_len.get();
  fields.session.padding_or_curve = flf.padding_algo.get();
  fields.session.rsa_hash = flf.hash_algo.get();
  fields.src_len = flf.src_data_len.get();
  fields.dst_len = flf.dst_data_len.get();
  return true;
}

bool ReadStatelessFixed(RangeCursor& readable, RequestFields& fields) {
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
      return ReadStatelessSym(readable, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_HASH:
      return ReadStatelessHash(readable, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_MAC:
      return ReadStatelessMac(readable, fields);
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return ReadStatelessAead(readable, fields);
    default:
      return ReadStatelessAkcipher(readable, fields);
  }
}

bool ReadStateless(RangeCursor& readable, RequestFields& fields) {
  if (!ReadStatelessFixed(readable, fields)) return false;
  fields.session.service = fields.service;
  fields.session.result_len = fields.result_len;
  return true;
}

bool IsOpType(const RequestFields& fields) {
  return fields.service != wire::VIRTIO_CRYPTO_SERVICE_CIPHER || fields.is_chain() ||
         fields.op_type == wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;
}

}  // namespace

Status ReadRequestFields(RangeCursor& readable, const Framing& framing, RequestFields& fields) {
  wire::virtio_crypto_op_header header;
  if (!ReadFixed(readable, sizeof header, header)) return Status::kError;
  const uint32_t opcode = header.opcode.get();
  fields.service = opcode >> 8;
  fields.op = opcode & 0xff;
  fields.session_id = header.session_id.get();
  if (!IsOpcode(fields.service, fields.op)) return Status::kNotSupported;
  // Without REVISION_1 the flag means nothing.
  fields.is_stateless =
      framing.revision_1 && (header.flag.get() & wire::VIRTIO_CRYPTO_FLAG_SESSION_MODE) == 0;
  if (fields.is_stateless && !framing.TakesStateless(fields.service)) {
    return Status::kNotSupported;
  }
  const bool is_whole = fields.is_stateless ? ReadStateless(readable, fields)
                                            : ReadSessionMode(readable, framing, fields);
  if (!is_whole) return Status::kError;
  if (!IsOpType(fields)) return Status::kNotSupported;
  return Status::kOk;
}

bool Agrees(const RequestFields& fields, const crypto::SessionInfo& info) {
  constexpr uint32_t kDecrypt = 1;  // of CIPHER and AEAD
  const bool same_direction =
      (fields.op == kDecrypt) == (info.direction == crypto::Direction::kDecrypt);
  switch (fields.service) {
    case wire::VIRTIO_CRYPTO_SERVICE_CIPHER:
      return info.kind == (fields.is_chain() ? SessionKind::kChain : SessionKind::kCipher) &&
             same_direction;
    case wire::VIRTIO_CRYPTO_SERVICE_HASH:
      return info.kind == SessionKind::kHash;
    case wire::VIRTIO_CRYPTO_SERVICE_MAC:
      return info.kind == SessionKind::kMac;
    case wire::VIRTIO_CRYPTO_SERVICE_AEAD:
      return info.kind == SessionKind::kAead && same_direction;
    default:
      return info.kind == SessionKind::kAkcipher;
  }
}

}  // namespace sealane::device
