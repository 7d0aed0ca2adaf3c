// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/data_request.h"

#include <array>
#include <bit>

#include "sealane/device/status_map.h"
#include "sealane/mem/shared_access.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {
namespace {

using crypto::Status;
using ring::RangeCursor;

// The lengths of a request, copied and checked.
struct Lengths {
  uint32_t iv_len;
  uint32_t src_len;
  uint32_t dst_len;
};

template <class T>
std::optional<T> CopyOutStruct(RangeCursor& cursor) {
  std::array<uint8_t, sizeof(T)> bytes;
  if (!cursor.CopyOut(bytes)) return std::nullopt;
  return std::bit_cast<T>(bytes);
}

bool IsCipherOpcode(uint32_t opcode) {
  return opcode == wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT ||
         opcode == wire::VIRTIO_CRYPTO_CIPHER_DECRYPT;
}

// The destination may be longer than the source (only the source's length is written), never
// shorter.
bool LengthsFit(const Lengths& lengths, const DataRequest& request,
                crypto::CipherAlgorithm algorithm) {
  return lengths.iv_len == crypto::Traits(algorithm).iv_len &&
         crypto::IsValidPayloadLen(algorithm, lengths.src_len) &&
         lengths.src_len <= lengths.dst_len && lengths.dst_len <= request.chain.writable_len() - 1;
}

bool TakeSegments(RangeCursor& cursor, uint64_t len, std::vector<crypto::Segment>& segments) {
  segments.clear();
  while (len != 0) {
    const mem::GuestRange piece = cursor.Next(len);
    if (piece.size() == 0) return false;
    segments.push_back({.data = mem::RawData(piece), .size = piece.size()});
    len -= piece.size();
  }
  return true;
}

// Points the op at the payload. Only the chain's own totals limit what is reachable.
bool FillOp(DataRequest& request, RangeCursor& readable, const Lengths& lengths) {
  if (!readable.CopyOut(std::span(request.iv).first(lengths.iv_len))) return false;
  RangeCursor writable(request.chain.writable());
  if (!TakeSegments(readable, lengths.src_len, request.src_segments)) return false;
  if (!TakeSegments(writable, lengths.src_len, request.dst_segments)) return false;
  request.src = request.src_segments;
  request.dst = request.dst_segments;
  request.len = lengths.src_len;
  return true;
}

}  // namespace

std::optional<Status> Prepare(DataRequest& request, LaneSessionCache& sessions) {
  request.len = 0;
  if (request.chain.bad() || request.chain.writable_len() == 0) return Status::kError;
  RangeCursor readable(request.chain.readable());
  const auto header = CopyOutStruct<wire::virtio_crypto_op_header>(readable);
  if (!header) return Status::kError;
  if (!IsCipherOpcode(header->opcode.get())) return Status::kNotSupported;
  const auto body = CopyOutStruct<wire::virtio_crypto_sym_data_req>(readable);
  if (!body) return Status::kError;
  if (body->op_type.get() != wire::VIRTIO_CRYPTO_SYM_OP_CIPHER) return Status::kNotSupported;

  const auto entry = sessions.Find(header->session_id.get());
  if (!entry.has_value()) return entry.error();
  const crypto::Session& session = *(*entry)->session;
  const bool encrypt = header->opcode.get() == wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT;
  if (encrypt != (session.direction() == crypto::Direction::kEncrypt)) return Status::kError;

  const Lengths lengths{.iv_len = body->iv_len.get(),
                        .src_len = body->src_data_len.get(),
                        .dst_len = body->dst_data_len.get()};
  if (!LengthsFit(lengths, request, session.algorithm())) return Status::kError;
  if (!FillOp(request, readable, lengths)) return Status::kError;
  request.session = (*entry)->lane_session.get();
  return std::nullopt;
}

uint32_t WriteStatus(const DataRequest& request, Status status) {
  if (!request.chain.WriteLastByte(ToWire(status))) return 0;
  return status == Status::kOk ? static_cast<uint32_t>(request.len) + 1 : 1;
}

}  // namespace sealane::device
