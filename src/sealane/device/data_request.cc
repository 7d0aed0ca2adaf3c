// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/data_request.h"

#include <algorithm>
#include <utility>

#include "sealane/device/request_fields.h"
#include "sealane/device/status_map.h"
#include "sealane/mem/shared_access.h"
#include "sealane/ring/range_cursor.h"

namespace sealane::device {
namespace {

using crypto::SessionInfo;
using crypto::SessionKind;
using crypto::Status;
using ring::RangeCursor;

// What a request's variable parts are made of, bytes.
struct Parts {
  uint64_t src = 0;     // payload to read
  uint64_t tag_in = 0;  // the tag behind it
  uint64_t aad = 0;     // or the digest to be verified
  bool aad_first = false;
  uint64_t dst = 0;  // payload to write
  uint64_t tag_offset = 0;
  uint32_t tag_out = 0;
  uint64_t claimed = 0;  // what the request says that the writable part has, without the status
};

// A destination may be longer than its result, never shorter.
std::optional<Parts> CipherParts(const RequestFields& fields) {
  if (fields.src_len > fields.dst_len) return std::nullopt;
  return Parts{.src = fields.src_len, .dst = fields.src_len, .claimed = fields.dst_len};
}

std::optional<Parts> ChainParts(const RequestFields& fields, const SessionInfo& info) {
  if (fields.src_len > fields.dst_len || fields.result_len != info.result_len) return std::nullopt;
  return Parts{.src = fields.src_len,
               .aad = fields.aad_len,
               .aad_first = fields.is_stateless,
               .dst = fields.src_len,
               .tag_offset = fields.dst_len,
               .tag_out = fields.result_len,
               .claimed = uint64_t{fields.dst_len} + fields.result_len};
}

// A ciphertext has its tag behind it, on both ways.
std::optional<Parts> AeadParts(const RequestFields& fields, const SessionInfo& info) {
  if (fields.result_len != info.result_len) return std::nullopt;
  const uint64_t tag_len = fields.result_len;
  Parts parts{.aad = fields.aad_len, .claimed = fields.dst_len};
  if (info.direction == crypto::Direction::kEncrypt) {
    if (fields.src_len + tag_len > fields.dst_len) return std::nullopt;
    parts.src = parts.dst = parts.tag_offset = fields.src_len;
    parts.tag_out = fields.result_len;
    return parts;
  }
  if (fields.src_len < tag_len || fields.src_len - tag_len > fields.dst_len) return std::nullopt;
  parts.src = parts.dst = fields.src_len - tag_len;
  parts.tag_in = tag_len;
  return parts;
}

std::optional<Parts> PartsOf(const RequestFields& fields, const SessionInfo& info) {
  switch (info.kind) {
    case SessionKind::kCipher:
      return CipherParts(fields);
    case SessionKind::kChain:
      return ChainParts(fields, info);
    case SessionKind::kHash:
    case SessionKind::kMac:
      return Parts{.src = fields.src_len, .dst = fields.result_len, .claimed = fields.result_len};
    case SessionKind::kAead:
      return AeadParts(fields, info);
    case SessionKind::kAkcipher:
      break;
  }
  // Verification: the signature, then what was signed; nothing is written.
  const auto op = static_cast<crypto::AkcipherOp>(fields.op);
  if (op == crypto::AkcipherOp::kVerify) return Parts{.src = fields.src_len, .aad = fields.dst_len};
  return Parts{.src = fields.src_len, .dst = fields.dst_len, .claimed = fields.dst_len};
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

bool TakeReadable(DataRequest& request, RangeCursor& readable, const Parts& parts) {
  if (!readable.CopyOut(std::span(request.iv).first(request.iv_len))) return false;
  if (parts.aad_first && !TakeSegments(readable, parts.aad, request.aad_segments)) return false;
  if (!TakeSegments(readable, parts.src, request.src_segments)) return false;
  if (!readable.CopyOut(std::span(request.tag).first(parts.tag_in))) return false;
  return parts.aad_first || TakeSegments(readable, parts.aad, request.aad_segments);
}

// Points the op at the payload. Only the chain's own totals limit what is reachable.
bool FillOp(DataRequest& request, RangeCursor& readable, const RequestFields& fields,
            const Parts& parts, const SessionInfo& info) {
  request.len = parts.src;
  request.aad_len = parts.aad;
  request.out_len = parts.dst;
  request.iv_len = fields.iv_len;
  request.akcipher_op = static_cast<crypto::AkcipherOp>(fields.op);
  request.cipher_range = fields.cipher_range;
  request.hash_range = fields.hash_range;
  request.tag_offset = parts.tag_offset;
  request.tag_len = parts.tag_out;
  if (!crypto::IsValidOp(info, request)) return false;  // bounds every length from here on
  if (parts.claimed > request.chain.writable_len() - 1) return false;
  if (!TakeReadable(request, readable, parts)) return false;
  RangeCursor writable(request.chain.writable());
  if (!TakeSegments(writable, parts.dst, request.dst_segments)) return false;
  request.src = request.src_segments;
  request.dst = request.dst_segments;
  request.aad = request.aad_segments;
  return true;
}

// A session for this request alone, of the keys that it brings.
Status MakeOwnSession(DataRequest& request, RangeCursor& readable, const RequestFields& fields,
                      const RequestContext& context) {
  auto params = ReadSessionParams(fields.session, readable, context.compatibility);
  if (!params.has_value()) return params.error();
  auto session = context.engine.CreateSession(std::move(*params));
  if (!session.has_value()) return session.error();
  auto lane_session = context.lane.OpenSession(*session);
  if (!lane_session.has_value()) return Status::kError;
  request.own_session = std::move(*session);
  request.own_lane_session = std::move(*lane_session);
  request.session = request.own_lane_session.get();
  return Status::kOk;
}

// The session's description, and its lane session in the op.
std::expected<const SessionInfo*, Status> TakeSession(DataRequest& request, RangeCursor& readable,
                                                      const RequestFields& fields,
                                                      const RequestContext& context) {
  if (fields.is_stateless) {
    const Status status = MakeOwnSession(request, readable, fields, context);
    if (status != Status::kOk) return std::unexpected(status);
    return &request.own_session->info();
  }
  const auto entry = context.sessions.Find(fields.session_id);
  if (!entry.has_value()) return std::unexpected(entry.error());
  request.session = (*entry)->lane_session.get();
  return &(*entry)->session->info();
}

}  // namespace

std::optional<Status> Prepare(DataRequest& request, const RequestContext& context,
                              const Framing& framing) {
  request.len = 0;
  if (request.chain.bad() || request.chain.writable_len() == 0) return Status::kError;
  RangeCursor readable(request.chain.readable());
  RequestFields fields;
  const Status read = ReadRequestFields(readable, framing, fields);
  if (read != Status::kOk) return read;
  const auto info = TakeSession(request, readable, fields, context);
  if (!info.has_value()) return info.error();
  if (!Agrees(fields, **info)) return Status::kError;
  const auto parts = PartsOf(fields, **info);
  if (!parts || !FillOp(request, readable, fields, *parts, **info)) {
    request.len = 0;
    return Status::kError;
  }
  return std::nullopt;
}

uint32_t WriteResult(const DataRequest& request, Status status) {
  const bool is_ok = status == Status::kOk;
  if (is_ok && request.tag_len != 0) {
    RangeCursor writable(request.chain.writable());
    writable.Skip(request.tag_offset);
    // Prepare has checked that there is room.
    (void)writable.CopyIn(std::span(request.tag).first(request.tag_len));
  }
  if (!request.chain.WriteLastByte(ToWire(status))) return 0;
  if (!is_ok) return 1;
  const uint64_t tag_end = request.tag_len == 0 ? 0 : request.tag_offset + request.tag_len;
  return static_cast<uint32_t>(std::max(request.out_len, tag_end)) + 1;
}

}  // namespace sealane::device
