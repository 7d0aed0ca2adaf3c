// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/fake_device.h"

#include <algorithm>
#include <bit>

#include "sealane/base/check.h"
#include "sealane/mem/shared_access.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

constexpr auto kSeqCst = std::memory_order_seq_cst;
constexpr mem::GuestAddr kBase{0x1'0000'0000};

template <class T>
std::array<uint8_t, sizeof(T)> Bytes(const T& value) {
  return std::bit_cast<std::array<uint8_t, sizeof(T)>>(value);
}

}  // namespace

std::vector<uint8_t> FakeChain::ReadAll() const {
  std::vector<uint8_t> all;
  for (const mem::GuestRange& range : readable) {
    const size_t at = all.size();
    all.resize(at + range.size());
    range.CopyTo(0, std::span(all).subspan(at));
  }
  return all;
}

uint32_t FakeChain::WritableLen() const {
  uint32_t len = 0;
  for (const mem::GuestRange& range : writable) len += static_cast<uint32_t>(range.size());
  return len;
}

void FakeChain::Write(std::span<const uint8_t> bytes) const {
  for (const mem::GuestRange& range : writable) {
    const size_t len = std::min(bytes.size(), range.size());
    range.CopyFrom(0, bytes.first(len));
    bytes = bytes.subspan(len);
  }
}

void FakeChain::WriteLast(uint8_t byte) const {
  const mem::GuestRange& last = writable.back();
  last.CopyFrom(last.size() - 1, std::span(&byte, 1));
}

FakeDevice::FakeDevice(const Setup& setup) : setup_(setup) {
  config_.max_data_queues = setup.max_data_queues;
  config_.services = 1U << wire::VIRTIO_CRYPTO_SERVICE_CIPHER;
  config_.max_size = setup.max_size;
  memory_ = DmaRegion::Create(setup.memory_size, kBase).value();
  for (EventFd& interrupt : interrupts_) interrupt = std::move(*EventFd::Create());
}

mem::GuestRange FakeDevice::At(mem::GuestAddr addr, uint64_t len) const {
  return memory_->Translate(addr, len).value();
}

Result<void> FakeDevice::StartQueue(uint16_t index, const RingLocation& ring) {
  rings_[index] = Ring{.size = ring.size,
                       .desc = At(ring.desc, wire::DescTableSize(ring.size)),
                       .avail = At(ring.avail, wire::AvailRingSize(ring.size)),
                       .used = At(ring.used, wire::UsedRingSize(ring.size))};
  return {};
}

Result<void> FakeDevice::StopQueue(uint16_t index) {
  if (on_stop_ && running(index)) on_stop_(*this, index);
  rings_.erase(index);
  return {};
}

void FakeDevice::Kick(uint16_t index) {
  ++num_kicks_;
  if (script_) script_(*this, index);
}

std::optional<FakeChain> FakeDevice::Next(uint16_t index) {
  Ring& ring = rings_.at(index);
  uint8_t* const avail = mem::RawData(ring.avail);
  if (mem::Load16(avail + wire::kRingIdxOffset, kSeqCst) == ring.next_avail) return std::nullopt;
  const size_t entry = wire::AvailEntryOffset(ring.next_avail++ % ring.size);
  // Asks for a kick at the next request, should the driver have EVENT_IDX.
  mem::Store16(mem::RawData(ring.used) + wire::AvailEventOffset(ring.size), ring.next_avail,
               kSeqCst);
  FakeChain chain;
  chain.head = mem::Load16(avail + entry, kSeqCst);
  mem::GuestRange table = ring.desc;
  size_t at = chain.head;
  while (true) {
    const auto desc = table.Read<wire::vring_desc>(at * sizeof(wire::vring_desc));
    const mem::GuestRange memory = At(mem::GuestAddr{desc.addr.get()}, desc.len.get());
    const uint16_t flags = desc.flags.get();
    if ((flags & wire::VRING_DESC_F_INDIRECT) != 0) {
      chain.indirect = true;
      table = memory;
      at = 0;
      continue;
    }
    const bool write = (flags & wire::VRING_DESC_F_WRITE) != 0;
    (write ? chain.writable : chain.readable).push_back(memory);
    if ((flags & wire::VRING_DESC_F_NEXT) == 0) return chain;
    at = desc.next.get();
  }
}

void FakeDevice::Use(uint16_t index, uint32_t id, uint32_t len) {
  const Ring& ring = rings_.at(index);
  const std::array<Le32, 2> entry{Le32(id), Le32(len)};
  ring.used.CopyFrom(wire::UsedEntryOffset(ring.used_idx % ring.size), Bytes(entry));
  JumpUsedIdx(index, 1);
}

void FakeDevice::JumpUsedIdx(uint16_t index, uint16_t by) {
  Ring& ring = rings_.at(index);
  ring.used_idx = static_cast<uint16_t>(ring.used_idx + by);
  mem::Store16(mem::RawData(ring.used) + wire::kRingIdxOffset, ring.used_idx, kSeqCst);
  Interrupt(index);
}

void FakeDevice::ServeControl() {
  const uint16_t index = control_index();
  while (const auto chain = Next(index)) {
    const std::vector<uint8_t> request = chain->ReadAll();
    const uint32_t opcode = uint32_t{request[0]} | uint32_t{request[1]} << 8;
    if (opcode == wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION) {
      ++live_sessions_;
      const wire::virtio_crypto_session_input input{Le64(next_session_++),
                                                    Le32(wire::VIRTIO_CRYPTO_OK), Le32(0)};
      chain->Write(Bytes(input));
      Use(index, chain->head, sizeof input);
      continue;
    }
    SL_CHECK(opcode == wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION);
    --live_sessions_;
    FinishChain(*this, index, *chain, {}, wire::VIRTIO_CRYPTO_OK);
  }
}

void FakeDevice::ServeData(uint16_t index) {
  while (const auto chain = Next(index)) {
    const std::vector<uint8_t> request = chain->ReadAll();
    std::vector<uint8_t> result(request.end() - (chain->WritableLen() - 1), request.end());
    for (uint8_t& byte : result) byte = static_cast<uint8_t>(~byte);
    FinishChain(*this, index, *chain, result, wire::VIRTIO_CRYPTO_OK);
  }
}

void FinishChain(FakeDevice& device, uint16_t index, const FakeChain& chain,
                 std::span<const uint8_t> result, uint8_t status) {
  chain.Write(result);
  chain.WriteLast(status);
  device.Use(index, chain.head, static_cast<uint32_t>(result.size() + 1));
}

}  // namespace sealane::driver
