// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/slot_pool.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "sealane/base/secret.h"
#include "sealane/wire/virtio_crypto.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

// A slot's control block. Header, IV and status share two lines: the driver dirties them for each
// request anyway, so the status costs no line of its own. The table stays clean in both caches.
constexpr size_t kIvOffset = sizeof(wire::virtio_crypto_sym_op);
constexpr size_t kStatusOffset = kIvOffset + kMaxIvLen;
constexpr size_t kTableOffset = 128;
static_assert(kStatusOffset < kTableOffset);

constexpr size_t kLine = 64;
constexpr size_t RoundToLine(size_t size) { return (size + kLine - 1) / kLine * kLine; }

// The status byte before the device writes it: not a status that exists.
constexpr uint8_t kNoStatus = 0xff;

std::span<const std::span<const uint8_t>> SrcPieces(const Request& request) {
  if (!request.src_pieces.empty()) return request.src_pieces;
  return {&request.src, 1};
}

std::span<const std::span<uint8_t>> DstPieces(const Request& request) {
  if (!request.dst_pieces.empty()) return request.dst_pieces;
  return {&request.dst, 1};
}

template <class Byte>
uint64_t TotalLen(std::span<const std::span<Byte>> pieces) {
  uint64_t total = 0;
  for (const auto& piece : pieces) total += piece.size();
  return total;
}

// The part of a request's header that differs from one to the next (5.9.7.3), as the words that it
// is made of: built of smaller fields, it would be read back before they have reached the cache.
// {opcode, algo 0}, {session_id}, {flag, padding}, {iv_len, src_data_len}, {dst_data_len,
// padding}
using HeaderWords = std::array<Le64, 5>;

HeaderWords MakeHeader(const Request& request, uint32_t len) {
  const uint32_t opcode = request.operation == Operation::kEncrypt
                              ? wire::VIRTIO_CRYPTO_CIPHER_ENCRYPT
                              : wire::VIRTIO_CRYPTO_CIPHER_DECRYPT;
  return {Le64(opcode), Le64(static_cast<uint64_t>(request.session)),
          Le64(wire::VIRTIO_CRYPTO_FLAG_SESSION_MODE),
          Le64(request.iv.size() | uint64_t{len} << 32), Le64(len)};
}
static_assert(offsetof(wire::virtio_crypto_sym_op, header.session_id) == 8);
static_assert(offsetof(wire::virtio_crypto_sym_op, u.iv_len) == 24);
static_assert(offsetof(wire::virtio_crypto_sym_op, u.src_data_len) == 28);
static_assert(offsetof(wire::virtio_crypto_sym_op, u.dst_data_len) == 32);

// Payload is copied to and from shared memory by plain memcpy: no decision is taken on its bytes,
// so it does not matter how often one is loaded.
void Gather(std::span<const std::span<const uint8_t>> pieces, std::span<uint8_t> to) {
  for (const auto& piece : pieces) {
    if (piece.empty()) continue;
    std::memcpy(to.data(), piece.data(), piece.size());
    to = to.subspan(piece.size());
  }
}

void Scatter(std::span<const uint8_t> from, std::span<const std::span<uint8_t>> pieces) {
  for (const auto& piece : pieces) {
    const size_t len = std::min(piece.size(), from.size());
    if (len == 0) continue;
    std::memcpy(piece.data(), from.data(), len);
    from = from.subspan(len);
  }
}

// The last out.size() bytes of the payload, or fewer if it is shorter.
template <class Byte>
void CopyTail(std::span<const std::span<Byte>> pieces, std::span<uint8_t> out) {
  for (size_t i = pieces.size(); i != 0 && !out.empty(); --i) {
    const auto piece = pieces[i - 1];
    const size_t len = std::min(piece.size(), out.size());
    std::ranges::copy(piece.last(len), out.end() - static_cast<std::ptrdiff_t>(len));
    out = out.first(out.size() - len);
  }
}

}  // namespace

Result<SlotPool> SlotPool::Create(std::shared_ptr<DmaRegion> region, const Config& config) {
  const SlotPool sizes(region, config, {}, {});
  SL_ASSIGN_OR_RETURN(DmaBuffer control,
                      region->Allocate(sizes.control_stride_ * config.num_slots));
  DmaBuffer payload;
  if (config.max_payload != 0) {
    SL_ASSIGN_OR_RETURN(payload, region->Allocate(sizes.payload_stride_ * config.num_slots));
  }
  return SlotPool(std::move(region), config, std::move(control), std::move(payload));
}

SlotPool::SlotPool(std::shared_ptr<DmaRegion> region, const Config& config, DmaBuffer control,
                   DmaBuffer payload)
    : region_(std::move(region)),
      config_(config),
      max_descriptors_(3 + 2 * size_t{config.max_segments}),
      control_stride_(kTableOffset + RoundToLine(max_descriptors_ * sizeof(wire::vring_desc))),
      // Not a power of two, or the first lines of all slots would share a few sets of the cache.
      payload_stride_(RoundToLine(config.max_payload + kGeneralOverhead) + 3 * kLine),
      control_(std::move(control)),
      payload_(std::move(payload)),
      states_(config.num_slots) {
  chain_.reserve(max_descriptors_);
  if (!control_.valid()) return;  // made for the sizes only
  wire::virtio_crypto_sym_op op{};
  op.u.op_type.set(wire::VIRTIO_CRYPTO_SYM_OP_CIPHER);
  for (uint32_t slot = config.num_slots; slot-- != 0;) {
    free_.push_back(slot);
    ControlOf(slot).CopyFrom(0, std::bit_cast<std::array<uint8_t, sizeof op>>(op));
  }
}

std::optional<uint32_t> SlotPool::Take() {
  if (free_.empty()) return std::nullopt;
  const uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

std::span<uint8_t> SlotPool::PayloadOf(uint32_t slot) const {
  if (!payload_.valid()) return {};
  return payload_.bytes().subspan(payload_stride_ * slot, config_.max_payload);
}

std::span<uint8_t> SlotPool::BufferOf(uint32_t slot) const {
  if (!payload_.valid()) return {};
  return payload_.bytes().subspan(payload_stride_ * slot, config_.max_payload + kGeneralOverhead);
}

mem::GuestRange SlotPool::ControlOf(uint32_t slot) const {
  return control_.range().Sub(control_stride_ * slot, control_stride_);
}

mem::GuestAddr SlotPool::ControlAddr(uint32_t slot, size_t offset) const {
  return mem::GuestAddr{Raw(control_.addr()) + control_stride_ * slot + offset};
}

uint64_t SlotPool::PlaceOf(std::span<const uint8_t> payload) const {
  if (payload.empty()) return 0;
  const auto addr = region_->AddressOf(payload);
  return addr ? Raw(*addr) : kSlotBuffer;
}

// Appends one side's payload to chain_. Both sides may share the slot's buffer.
template <class Byte>
bool SlotPool::AppendPayload(uint32_t slot, std::span<const std::span<Byte>> pieces, bool& copied) {
  copied = false;
  const size_t first = chain_.size();
  for (const auto& piece : pieces) {
    if (piece.empty()) continue;
    const uint64_t place = PlaceOf(piece);
    copied = place == kSlotBuffer || chain_.size() - first == config_.max_segments;
    if (copied) break;
    chain_.push_back(Buffer{mem::GuestAddr{place}, static_cast<uint32_t>(piece.size())});
  }
  if (!copied) return true;
  const uint64_t len = TotalLen(pieces);
  if (len > config_.max_payload) return false;
  chain_.resize(first);
  chain_.push_back(Buffer{mem::GuestAddr{Raw(payload_.addr()) + payload_stride_ * slot},
                          static_cast<uint32_t>(len)});
  return true;
}

// Fills chain_ and the slot's table.
bool SlotPool::DescribeAnew(uint32_t slot, const Request& request, uint32_t len, bool& copied_in) {
  State& state = states_[slot];
  state.shape.reset();
  chain_.clear();
  chain_.push_back(Buffer{ControlAddr(slot, 0), sizeof(wire::virtio_crypto_sym_op)});
  if (!request.iv.empty()) {
    chain_.push_back(
        Buffer{ControlAddr(slot, kIvOffset), static_cast<uint32_t>(request.iv.size())});
  }
  if (!AppendPayload(slot, SrcPieces(request), copied_in)) return false;
  num_readable_ = chain_.size();
  if (!AppendPayload(slot, DstPieces(request), state.copied_out)) return false;
  chain_.push_back(Buffer{ControlAddr(slot, kStatusOffset), 1});
  state.num_descriptors = static_cast<uint32_t>(chain_.size());
  state.len = len;
  if (config_.indirect) WriteTable(slot);
  return true;
}

bool SlotPool::Describe(uint32_t slot, const Request& request, uint32_t len, bool& copied_in) {
  if (!config_.indirect || !request.src_pieces.empty() || !request.dst_pieces.empty()) {
    return DescribeAnew(slot, request, len, copied_in);
  }
  const Shape shape{PlaceOf(request.src), PlaceOf(request.dst), len,
                    static_cast<uint32_t>(request.iv.size())};
  copied_in = shape.src == kSlotBuffer;
  if (states_[slot].shape == shape) return true;
  if (!DescribeAnew(slot, request, len, copied_in)) return false;
  states_[slot].shape = shape;
  return true;
}

std::optional<PreparedSlot> SlotPool::PrepareGeneral(uint32_t slot, const Request& request) {
  const std::span<uint8_t> buffer = BufferOf(slot);
  const auto layout = WriteGeneral(request, config_.revision_1, buffer);
  if (!layout || request.src.size() > config_.max_size) return std::nullopt;
  State& state = states_[slot];
  state.shape.reset();
  state.general = layout;
  const uint64_t addr = Raw(payload_.addr()) + payload_stride_ * slot;
  chain_.clear();
  chain_.push_back(Buffer{mem::GuestAddr{addr}, static_cast<uint32_t>(layout->readable_len)});
  num_readable_ = 1;
  if (layout->result_len != 0) {
    chain_.push_back(Buffer{mem::GuestAddr{addr + layout->result_offset},
                            static_cast<uint32_t>(layout->result_len)});
  }
  // Not in the buffer, where all that is read lies.
  ControlOf(slot).CopyFrom(kStatusOffset, std::span(&kNoStatus, 1));
  chain_.push_back(Buffer{ControlAddr(slot, kStatusOffset), 1});
  state.num_descriptors = static_cast<uint32_t>(chain_.size());
  if (config_.indirect) WriteTable(slot);
  return PreparedSlot{.table = ControlAddr(slot, kTableOffset),
                      .num_descriptors = state.num_descriptors,
                      .writable_len = static_cast<uint32_t>(layout->result_len) + 1};
}

std::optional<PreparedSlot> SlotPool::Prepare(uint32_t slot, const Request& request) {
  states_[slot].general.reset();
  if (request.kind != RequestKind::kCipher || request.stateless != nullptr) {
    return PrepareGeneral(slot, request);
  }
  const auto src = SrcPieces(request);
  const uint64_t len = TotalLen(src);
  constexpr uint64_t kMaxLen = std::numeric_limits<uint32_t>::max() - 1;  // and a status byte
  if (len != TotalLen(DstPieces(request)) || len > std::min(config_.max_size, kMaxLen)) {
    return std::nullopt;
  }
  if (request.iv.size() > kMaxIvLen) return std::nullopt;
  bool copied_in = false;
  if (!Describe(slot, request, static_cast<uint32_t>(len), copied_in)) return std::nullopt;
  State& state = states_[slot];
  if (copied_in) Gather(src, PayloadOf(slot));
  if (request.want_next_iv && request.operation == Operation::kDecrypt) {
    CopyTail(src, std::span(state.next_iv).first(request.iv.size()));
  }
  WriteHeader(slot, request, state.len);
  return PreparedSlot{.table = ControlAddr(slot, kTableOffset),
                      .num_descriptors = state.num_descriptors,
                      .writable_len = state.len + 1};
}

PreparedChain SlotPool::chain() const {
  const std::span<const Buffer> all = chain_;
  return {all.first(num_readable_), all.subspan(num_readable_)};
}

void SlotPool::WriteHeader(uint32_t slot, const Request& request, uint32_t len) const {
  const mem::GuestRange control = ControlOf(slot);
  control.CopyFrom(
      0, std::bit_cast<std::array<uint8_t, sizeof(HeaderWords)>>(MakeHeader(request, len)));
  control.CopyFrom(kIvOffset, request.iv);
  control.CopyFrom(kStatusOffset, std::span(&kNoStatus, 1));
}

void SlotPool::WriteTable(uint32_t slot) const {
  const mem::GuestRange control = ControlOf(slot);
  for (size_t i = 0; i < chain_.size(); ++i) {
    const bool more = i + 1 < chain_.size();
    const int flags =
        (more ? wire::VRING_DESC_F_NEXT : 0) | (i >= num_readable_ ? wire::VRING_DESC_F_WRITE : 0);
    const wire::vring_desc desc{Le64(Raw(chain_[i].addr)), Le32(chain_[i].len),
                                Le16(static_cast<uint16_t>(flags)),
                                Le16(static_cast<uint16_t>(more ? i + 1 : 0))};
    control.CopyFrom(kTableOffset + i * sizeof desc,
                     std::bit_cast<std::array<uint8_t, sizeof desc>>(desc));
  }
}

Status SlotPool::FinishGeneral(uint32_t slot, uint32_t used_len, Request& request) {
  const GeneralLayout& layout = *states_[slot].general;
  const std::span<uint8_t> buffer = BufferOf(slot);
  const Status status = StatusFromWire(ControlOf(slot).Read<uint8_t>(kStatusOffset));
  const Status outcome = ReadGeneral(layout, buffer, status, used_len, request);
  // Keys of a stateless request, and plaintext, stay no longer than they must.
  WipeBytes(buffer.first(std::max(layout.readable_len, layout.result_offset + layout.result_len)));
  return outcome;
}

Status SlotPool::Finish(uint32_t slot, uint32_t used_len, Request& request) {
  const State& state = states_[slot];
  if (state.general) return FinishGeneral(slot, used_len, request);
  if (used_len == 0) return Status::kBadReply;  // not even a status
  const Status status = StatusFromWire(ControlOf(slot).Read<uint8_t>(kStatusOffset));
  if (status != Status::kOk) return status;
  // 5.9.7.3: the device writes the result and the status, so it must have written just that much.
  if (used_len != state.len + 1) return Status::kBadReply;
  if (state.copied_out) Scatter(PayloadOf(slot).first(state.len), DstPieces(request));
  if (!request.want_next_iv) return status;
  if (request.operation == Operation::kDecrypt) {
    request.next_iv = state.next_iv;
  } else {
    CopyTail(DstPieces(request),
             std::span(request.next_iv).first(std::min(request.iv.size(), kMaxIvLen)));
  }
  return status;
}

}  // namespace sealane::driver
