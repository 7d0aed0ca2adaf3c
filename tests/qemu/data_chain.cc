// SPDX-License-Identifier: Apache-2.0
#include "data_chain.h"

#include <algorithm>

namespace sealane::testing {
namespace {

using Pieces = std::vector<std::vector<uint8_t>>;

std::vector<uint8_t> Join(const Pieces& pieces) {
  std::vector<uint8_t> all;
  for (const auto& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

Pieces Split(const std::vector<uint8_t>& bytes, size_t first_len) {
  const auto middle = bytes.begin() + static_cast<ptrdiff_t>(first_len);
  return {{bytes.begin(), middle}, {middle, bytes.end()}};
}

void LimitTo(Pieces& pieces, size_t limit) {
  for (auto& piece : pieces) {
    piece.resize(std::min(piece.size(), limit));
    limit -= piece.size();
  }
}

Pieces Frame(Pieces pieces, Framing framing) {
  if (framing == Framing::kByteEach) {
    Pieces bytes;
    for (const uint8_t byte : Join(pieces)) bytes.push_back({byte});
    return bytes;
  }
  if (framing == Framing::kSplitHeader) {
    Pieces header = Split(pieces.front(), pieces.front().size() - 1);
    header.insert(header.end(), pieces.begin() + 1, pieces.end());
    return header;
  }
  if (framing == Framing::kIvWithSource) {
    return {pieces.front(), Join({pieces.begin() + 1, pieces.end()})};
  }
  return pieces;
}

std::vector<uint32_t> FrameWritable(uint32_t dst_room, uint32_t status_room, Framing framing) {
  constexpr uint32_t kLongStatus = 4;
  if (framing == Framing::kByteEach) return std::vector<uint32_t>(dst_room + status_room, 1);
  if (framing == Framing::kStatusMerged) return {dst_room + status_room};
  if (framing == Framing::kLongStatus) status_room = kLongStatus;
  return {dst_room, status_room};
}

}  // namespace

std::vector<uint8_t> CountingBytes(size_t len) {
  std::vector<uint8_t> bytes(len);
  for (size_t i = 0; i < len; ++i) bytes[i] = static_cast<uint8_t>(i * 7 + i / 256 + 1);
  return bytes;
}

ChainShape DataChain(const DataShape& data) {
  const auto len = static_cast<uint32_t>(data.len);
  const uint32_t dst_len = data.dst_len.value_or(data.src_len.value_or(len));
  const CipherRequest header{.opcode = data.opcode.value(),
                             .session_id = data.session_id.value(),
                             .iv_len = data.iv_len.value(),
                             .src_len = data.src_len.value_or(len),
                             .dst_len = dst_len,
                             .op_type = data.op_type};
  Pieces pieces = {header.Bytes(), CountingBytes(data.iv_bytes.value_or(data.iv_len.value())),
                   CountingBytes(data.len)};
  if (data.readable_limit) LimitTo(pieces, *data.readable_limit);
  ChainShape shape{.readable = Frame(std::move(pieces), data.framing),
                   .writable = FrameWritable(data.dst_room.value_or(dst_len),
                                             data.status_room ? 1 : 0, data.framing),
                   .in_place = data.in_place,
                   .indirect = data.indirect,
                   .spoil = data.spoil};
  std::erase_if(shape.readable, [](const auto& piece) { return piece.empty(); });
  std::erase(shape.writable, 0U);
  return shape;
}

}  // namespace sealane::testing
