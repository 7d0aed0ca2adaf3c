// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/general_request.h"

#include <algorithm>
#include <array>
#include <bit>
#include <variant>

#include "sealane/wire/virtio_crypto_data.h"

namespace sealane::driver {
namespace {

Le32 Len(size_t len) { return Le32(static_cast<uint32_t>(len)); }

// What AEAD's ciphertext has behind it.
size_t TagIn(const Request& request) {
  const bool opens = request.kind == RequestKind::kAead && request.operation == Operation::kDecrypt;
  return opens ? request.tag.size() : 0;
}

size_t TagOut(const Request& request) {
  if (request.kind == RequestKind::kChain) return request.tag.size();
  const bool seals = request.kind == RequestKind::kAead && request.operation == Operation::kEncrypt;
  return seals ? request.tag.size() : 0;
}

bool IsVerify(const Request& request) {
  return request.kind == RequestKind::kAkcipher && request.operation == Operation::kVerify;
}

// Source and destination as the header has them.
size_t SrcLen(const Request& request) { return request.src.size() + TagIn(request); }
size_t DstLen(const Request& request) {
  if (IsVerify(request)) return request.aad.size();
  const size_t tag_out = request.kind == RequestKind::kAead ? TagOut(request) : 0;
  return request.dst.size() + tag_out;
}

uint32_t Opcode(const Request& request) {
  const auto op = static_cast<uint32_t>(request.operation);
  switch (request.kind) {
    case RequestKind::kCipher:
    case RequestKind::kChain:
      return wire::Opcode(wire::VIRTIO_CRYPTO_SERVICE_CIPHER, op);
    case RequestKind::kHash:
      return wire::VIRTIO_CRYPTO_HASH;
    case RequestKind::kMac:
      return wire::VIRTIO_CRYPTO_MAC;
    case RequestKind::kAead:
      return wire::Opcode(wire::VIRTIO_CRYPTO_SERVICE_AEAD, op);
    case RequestKind::kAkcipher:
      break;
  }
  return wire::Opcode(wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER, op);
}

// Appends to a buffer as long as there is room.
class Writer {
 public:
  explicit Writer(std::span<uint8_t> buffer) : buffer_(buffer) {}

  void Add(std::span<const uint8_t> bytes) {
    if (bytes.size() > buffer_.size() - len_) {
      fits_ = false;
      return;
    }
    std::ranges::copy(bytes, buffer_.begin() + static_cast<std::ptrdiff_t>(len_));
    len_ += bytes.size();
  }
  // Padded with zeros to `size`.
  template <class Wire>
  void AddWire(const Wire& wire, size_t size) {
    std::array<uint8_t, wire::kMaxDataFixedSize> bytes{};
    static_assert(sizeof wire <= bytes.size());
    const auto own = std::bit_cast<std::array<uint8_t, sizeof wire>>(wire);
    std::ranges::copy(own, bytes.begin());
    Add(std::span(bytes).first(size));
  }
  size_t len() const { return len_; }
  bool fits() const { return fits_; }

 private:
  std::span<uint8_t> buffer_;
  size_t len_ = 0;
  bool fits_ = true;
};

// --- Session mode.

template <class Wire>
size_t FixedSize(bool revision_1) {
  return revision_1 ? sizeof(Wire) : wire::kDataFixedSize;
}

wire::virtio_crypto_alg_chain_data_flf ChainFlf(const Request& request) {
  return {.iv_len = Len(request.iv.size()),
          .src_data_len = Len(SrcLen(request)),
          .dst_data_len = Len(DstLen(request)),
          .cipher_start_src_offset = Le32(request.cipher_part.offset),
          .len_to_cipher = Le32(request.cipher_part.len),
          .hash_start_src_offset = Le32(request.hash_part.offset),
          .len_to_hash = Le32(request.hash_part.len),
          .aad_len = Len(request.aad.size()),
          .hash_result_len = Len(request.tag.size()),
          .reserved = Le32(0)};
}

void AddSessionFixed(Writer& writer, const Request& request, bool revision_1) {
  switch (request.kind) {
    case RequestKind::kCipher:
    case RequestKind::kChain: {
      const bool is_chain = request.kind == RequestKind::kChain;
      wire::virtio_crypto_sym_data_flf flf{};
      flf.u = ChainFlf(request);  // a cipher's begins alike, and the rest is zero
      flf.op_type.set(is_chain ? wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING
                               : wire::VIRTIO_CRYPTO_SYM_OP_CIPHER);
      return writer.AddWire(flf, sizeof flf);
    }
    case RequestKind::kHash:
    case RequestKind::kMac: {
      const wire::virtio_crypto_hash_data_flf flf{.src_data_len = Len(SrcLen(request)),
                                                  .hash_result_len = Len(request.dst.size())};
      return writer.AddWire(flf, FixedSize<decltype(flf)>(revision_1));
    }
    case RequestKind::kAead: {
      const wire::virtio_crypto_aead_data_flf flf{.iv_len = Len(request.iv.size()),
                                                  .aad_len = Len(request.aad.size()),
                                                  .src_data_len = Len(SrcLen(request)),
                                                  .dst_data_len = Len(DstLen(request)),
                                                  .tag_len = Len(request.tag.size()),
                                                  .reserved = Le32(0)};
      return writer.AddWire(flf, FixedSize<decltype(flf)>(revision_1));
    }
    case RequestKind::kAkcipher: {
      const wire::virtio_crypto_akcipher_data_flf flf{.src_data_len = Len(SrcLen(request)),
                                                      .dst_data_len = Len(DstLen(request))};
      return writer.AddWire(flf, FixedSize<decltype(flf)>(revision_1));
    }
  }
}

// --- Stateless mode: by the kind of parameters, which decides; the keys follow.

class StatelessWriter {
 public:
  StatelessWriter(Writer& writer, const Request& request) : writer_(writer), request_(request) {}

  void operator()(const CipherSessionParams& params) {
    const wire::virtio_crypto_cipher_data_flf_stateless cipher{
        .sess_para = Para(params.algorithm, params.key, params.direction),
        .iv_len = Len(request_.iv.size()),
        .src_data_len = Len(SrcLen(request_)),
        .dst_data_len = Len(DstLen(request_))};
    AddSym(cipher, wire::VIRTIO_CRYPTO_SYM_OP_CIPHER);
    writer_.Add(params.key);
  }
  void operator()(const ChainSessionParams& params) {
    const auto* mac = std::get_if<MacSessionParams>(&params.hash);
    const uint32_t algo =
        mac != nullptr ? mac->algorithm : std::get<HashSessionParams>(params.hash).algorithm;
    const wire::virtio_crypto_alg_chain_data_flf_stateless chain{
        .alg_chain_order =
            Le32(params.hash_first ? wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_HASH_THEN_CIPHER
                                   : wire::VIRTIO_CRYPTO_SYM_ALG_CHAIN_ORDER_CIPHER_THEN_HASH),
        .sess_aad_len = Le32(params.aad_len),
        .cipher = Para(params.cipher.algorithm, params.cipher.key, params.cipher.direction),
        .hash = {.algo = Le32(algo),
                 .auth_key_len = Len(mac != nullptr ? mac->key.size() : 0),
                 .hash_mode = Le32(mac != nullptr ? wire::VIRTIO_CRYPTO_SYM_HASH_MODE_AUTH
                                                  : wire::VIRTIO_CRYPTO_SYM_HASH_MODE_PLAIN)},
        .data = ChainFlf(request_)};
    AddSym(chain, wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING);
    writer_.Add(params.cipher.key);
    if (mac != nullptr) writer_.Add(mac->key);
  }
  void operator()(const HashSessionParams& params) {
    AddWhole(
        wire::virtio_crypto_hash_data_flf_stateless{.algo = Le32(params.algorithm),
                                                    .src_data_len = Len(SrcLen(request_)),
                                                    .hash_result_len = Len(request_.dst.size()),
                                                    .reserved = Le32(0)});
  }
  void operator()(const MacSessionParams& params) {
    AddWhole(
        wire::virtio_crypto_mac_data_flf_stateless{.algo = Le32(params.algorithm),
                                                   .auth_key_len = Len(params.key.size()),
                                                   .src_data_len = Len(SrcLen(request_)),
                                                   .hash_result_len = Len(request_.dst.size())});
    writer_.Add(params.key);
  }
  void operator()(const AeadSessionParams& params) {
    AddWhole(wire::virtio_crypto_aead_data_flf_stateless{
        .sess_para = Para(params.algorithm, params.key, params.direction),
        .iv_len = Len(request_.iv.size()),
        .tag_len = Len(request_.tag.size()),
        .aad_len = Len(request_.aad.size()),
        .src_data_len = Len(SrcLen(request_)),
        .dst_data_len = Len(DstLen(request_))});
    writer_.Add(params.key);
  }
  void operator()(const AkcipherSessionParams& params) {
    AddWhole(wire::virtio_crypto_akcipher_data_flf_stateless{
        .algo = Le32(params.algorithm),
        .key_type = Le32(params.is_private ? wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PRIVATE
                                           : wire::VIRTIO_CRYPTO_AKCIPHER_KEY_TYPE_PUBLIC),
        .key_len = Len(params.key.size()),
        .padding_algo = Le32(params.padding_or_curve),
        .hash_algo = Le32(params.hash),
        .src_data_len = Len(SrcLen(request_)),
        .dst_data_len = Len(DstLen(request_))});
    writer_.Add(params.key);
  }

 private:
  static wire::virtio_crypto_cipher_sess_para Para(uint32_t algorithm, std::span<const uint8_t> key,
                                                   Operation direction) {
    return {
        .algo = Le32(algorithm), .key_len = Len(key.size()), .op = Le32(WireDirection(direction))};
  }
  // A cipher's or a chain's, at the beginning of what both share.
  template <class Wire>
  void AddSym(const Wire& wire, uint32_t op_type) {
    constexpr size_t kOpTypeOffset = offsetof(wire::virtio_crypto_sym_data_flf_stateless, op_type);
    writer_.AddWire(wire, kOpTypeOffset);
    writer_.AddWire(Le32(op_type), sizeof(Le32));
  }
  template <class Wire>
  void AddWhole(const Wire& wire) {
    writer_.AddWire(wire, sizeof wire);
  }

  Writer& writer_;
  const Request& request_;
};

// The kinds of the variant are those of requests.
bool IsStatelessOf(const Request& request) {
  constexpr std::array kKinds = {RequestKind::kCipher, RequestKind::kChain, RequestKind::kHash,
                                 RequestKind::kMac,    RequestKind::kAead,  RequestKind::kAkcipher};
  static_assert(kKinds.size() == std::variant_size_v<SessionParams>);
  return kKinds[request.stateless->index()] == request.kind;
}

bool AreLengthsPossible(const Request& request) {
  constexpr size_t kMax = size_t{1} << 30;
  if (request.iv.size() > kMaxIvLen || request.src.size() > kMax || request.dst.size() > kMax ||
      request.aad.size() > kMax || request.tag.size() > kMax) {
    return false;
  }
  const bool same_len = request.kind == RequestKind::kCipher ||
                        request.kind == RequestKind::kChain || request.kind == RequestKind::kAead;
  return !same_len || request.src.size() == request.dst.size();
}

}  // namespace

std::optional<GeneralLayout> WriteGeneral(const Request& request, bool revision_1,
                                          std::span<uint8_t> buffer) {
  const bool is_stateless = request.stateless != nullptr;
  if (!AreLengthsPossible(request)) return std::nullopt;
  if (is_stateless && (!revision_1 || !IsStatelessOf(request))) return std::nullopt;
  Writer writer(buffer);
  wire::virtio_crypto_op_header header{};
  header.opcode.set(Opcode(request));
  header.session_id.set(is_stateless ? 0 : static_cast<uint64_t>(request.session));
  header.flag.set(is_stateless ? 0 : wire::VIRTIO_CRYPTO_FLAG_SESSION_MODE);
  writer.AddWire(header, sizeof header);
  if (is_stateless) {
    std::visit(StatelessWriter(writer, request), *request.stateless);
  } else {
    AddSessionFixed(writer, request, revision_1);
  }
  writer.Add(request.iv);
  const bool aad_first = is_stateless && request.kind == RequestKind::kChain;
  if (aad_first) writer.Add(request.aad);
  const size_t src_offset = writer.len();
  writer.Add(request.src);
  if (TagIn(request) != 0) writer.Add(request.tag);
  if (!aad_first) writer.Add(request.aad);

  GeneralLayout layout{.readable_len = writer.len(),
                       .result_offset = src_offset,
                       .dst_len = IsVerify(request) ? 0 : request.dst.size(),
                       .tag_len = TagOut(request),
                       .may_be_shorter = request.kind == RequestKind::kAkcipher};
  layout.result_len = layout.dst_len + layout.tag_len;
  if (!writer.fits() || layout.result_len > buffer.size() - src_offset) return std::nullopt;
  return layout;
}

Status ReadGeneral(const GeneralLayout& layout, std::span<const uint8_t> buffer, Status status,
                   uint32_t used_len, Request& request) {
  if (used_len == 0) return Status::kBadReply;  // not even a status
  if (status != Status::kOk) return status;
  const size_t written = used_len - 1;
  const size_t most = layout.dst_len + layout.tag_len;
  if (written > most || (written < most && !layout.may_be_shorter)) return Status::kBadReply;
  const auto result = buffer.subspan(layout.result_offset);
  const size_t dst_len = layout.may_be_shorter ? written : layout.dst_len;
  std::ranges::copy(result.first(dst_len), request.dst.begin());
  request.out_len = dst_len;
  if (layout.tag_len != 0) {
    std::ranges::copy(result.subspan(layout.dst_len, layout.tag_len), request.tag.begin());
  }
  return Status::kOk;
}

}  // namespace sealane::driver
