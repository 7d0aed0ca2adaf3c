// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/control_slots.h"

#include <algorithm>
#include <utility>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

// A slot: the request, its keys, and on a line of its own the answer, where the device writes.
constexpr size_t kFixedLen = std::tuple_size_v<decltype(ControlRequest::fixed)>;
constexpr size_t kAnswerOffset = 192;
constexpr size_t kSlotLen = 256;
constexpr size_t kMaxKeysInSlot = kAnswerOffset - kFixedLen;
static_assert(kMaxKeysInSlot >= kMaxKeyLen);

// Not an id or a status that exists: what an answer holds before the device writes it.
constexpr uint8_t kUnwritten = 0xff;

constexpr uint32_t AnswerLen(bool creates) {
  return creates ? sizeof(wire::virtio_crypto_session_input) : 1;
}

void CopyRequest(const mem::GuestRange& to, const ControlRequest& request) {
  to.CopyFrom(0, request.fixed_bytes());
  size_t offset = request.fixed_len;
  for (const std::span<const uint8_t> key : request.keys) {
    to.CopyFrom(offset, key);
    offset += key.size();
  }
}

void WipeShared(const mem::GuestRange& range, size_t offset, size_t len) {
  constexpr std::array<uint8_t, 256> kZeros{};
  while (len > 0) {
    const size_t part = std::min(len, kZeros.size());
    range.CopyFrom(offset, std::span(kZeros).first(part));
    offset += part;
    len -= part;
  }
}

}  // namespace

Result<ControlSlots> ControlSlots::Create(std::shared_ptr<DmaRegion> memory, size_t num_slots) {
  SL_ASSIGN_OR_RETURN(DmaBuffer slots, memory->Allocate(num_slots * kSlotLen));
  return ControlSlots(std::move(memory), std::move(slots), num_slots);
}

ControlSlots::ControlSlots(std::shared_ptr<DmaRegion> memory, DmaBuffer slot_memory,
                           size_t num_slots)
    : memory_(std::move(memory)), slot_memory_(std::move(slot_memory)), slots_(num_slots) {}

Result<ControlSlots::Chain> ControlSlots::Fill(size_t index, const ControlRequest& request,
                                               bool creates) {
  Slot& slot = slots_[index];
  const mem::GuestRange memory = MemoryOf(index);
  const auto request_len = static_cast<uint32_t>(request.fixed_len + request.keys_len());
  mem::GuestAddr addr = AddressOf(index);
  if (request.keys_len() > kMaxKeysInSlot) {
    SL_ASSIGN_OR_RETURN(slot.large, memory_->Allocate(request_len));
    CopyRequest(slot.large.range(), request);
    addr = slot.large.addr();
  } else {
    CopyRequest(memory, request);
  }
  slot.creates = creates;
  slot.keys_offset = request.fixed_len;
  slot.num_key_bytes = request.keys_len();
  std::array<uint8_t, sizeof(wire::virtio_crypto_session_input)> unwritten;
  unwritten.fill(kUnwritten);
  memory.CopyFrom(kAnswerOffset, unwritten);
  const mem::GuestAddr answer{Raw(AddressOf(index)) + kAnswerOffset};
  return Chain{.readable = {addr, request_len}, .writable = {answer, AnswerLen(creates)}};
}

Outcome<SessionId> ControlSlots::ReadAnswer(size_t index, uint32_t used_len) const {
  const bool creates = slots_[index].creates;
  constexpr Error kBadAnswer{ErrorCode::kBroken, "the device's control answer cannot be right"};
  if (used_len != AnswerLen(creates)) return Failure{Status::kBadReply, kBadAnswer};
  const mem::GuestRange memory = MemoryOf(index);
  wire::virtio_crypto_session_input input{};
  if (creates) {
    input = memory.Read<wire::virtio_crypto_session_input>(kAnswerOffset);
  } else {
    input.status.set(memory.Read<uint8_t>(kAnswerOffset));
  }
  const Status status = StatusFromWire(input.status.get());
  if (status == Status::kOk) return SessionId{input.session_id.get()};
  return Failure{status, status == Status::kBadReply ? kBadAnswer : Error{}};
}

void ControlSlots::Clear(size_t index) {
  Slot& slot = slots_[index];
  if (slot.large.valid()) {
    WipeShared(slot.large.range(), slot.keys_offset, slot.num_key_bytes);
    slot.large = DmaBuffer();
  } else {
    WipeShared(MemoryOf(index), slot.keys_offset, slot.num_key_bytes);
  }
  slot.num_key_bytes = 0;
}

mem::GuestRange ControlSlots::MemoryOf(size_t slot) const {
  return slot_memory_.range().Sub(slot * kSlotLen, kSlotLen);
}

mem::GuestAddr ControlSlots::AddressOf(size_t slot) const {
  return mem::GuestAddr{Raw(slot_memory_.addr()) + slot * kSlotLen};
}

}  // namespace sealane::driver
