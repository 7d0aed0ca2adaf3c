// SPDX-License-Identifier: Apache-2.0
#include "pipelined_load.h"

#include <algorithm>
#include <array>

#include "data_chain.h"
#include "reference_cipher.h"
#include "sealane/base/check.h"

namespace sealane::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDrainPatience{5};
constexpr uint16_t kDescsPerChain = 5;  // header, IV, source, destination, status
constexpr size_t kIvLen = 16;
constexpr size_t kKeyLen = 16;
constexpr size_t kAlign = 64;

uint16_t SlotsPerChain(const LoadShape& shape) { return shape.indirect ? 1 : kDescsPerChain; }

wire::vring_desc Desc(uint64_t addr, size_t len, uint16_t flags) {
  return {.addr = Le64(addr),
          .len = Le32(static_cast<uint32_t>(len)),
          .flags = Le16(flags),
          .next = Le16(0)};
}

// Copies bytes to new memory of their own.
uint64_t Place(GuestRam& ram, const std::vector<uint8_t>& bytes) {
  const uint64_t addr = ram.Allocate(bytes.size(), kAlign);
  std::ranges::copy(bytes, ram.At(addr, bytes.size()).begin());
  return addr;
}

}  // namespace

bool PipelinedLoad::Fits(const DriverRing& ring, const LoadShape& shape) {
  return shape.depth != 0 && shape.depth <= ring.size() / SlotsPerChain(shape);
}

PipelinedLoad::PipelinedLoad(CryptoVm& vm, uint64_t session_id, const LoadShape& shape)
    : vm_(&vm), shape_(shape) {
  SL_CHECK(Fits(vm.data_ring(), shape));
  for (uint16_t i = 0; i < shape.depth; ++i) AddRequest(i, session_id);
}

uint16_t PipelinedLoad::Head(uint16_t index) const {
  return static_cast<uint16_t>(index * SlotsPerChain(shape_));
}

void PipelinedLoad::AddRequest(uint16_t index, uint64_t session_id) {
  GuestRam& ram = vm_->ram();
  const CipherRequest header{
      .session_id = session_id, .iv_len = kIvLen, .src_len = shape_.len, .dst_len = shape_.len};
  const std::vector<uint8_t> header_bytes = header.Bytes();
  dst_addrs_.push_back(ram.Allocate(shape_.len, kAlign));
  status_addrs_.push_back(ram.Allocate(1, kAlign));
  std::array descs = {Desc(Place(ram, header_bytes), header_bytes.size(), 0),
                      Desc(Place(ram, CountingBytes(kIvLen)), kIvLen, 0),
                      Desc(Place(ram, CountingBytes(shape_.len)), shape_.len, 0),
                      Desc(dst_addrs_.back(), shape_.len, wire::VRING_DESC_F_WRITE),
                      Desc(status_addrs_.back(), 1, wire::VRING_DESC_F_WRITE)};
  static_assert(descs.size() == kDescsPerChain);
  const uint16_t first = shape_.indirect ? 0 : Head(index);
  for (uint16_t i = 0; i + 1 < kDescsPerChain; ++i) {
    descs[i].flags.set(descs[i].flags.get() | wire::VRING_DESC_F_NEXT);
    descs[i].next.set(static_cast<uint16_t>(first + i + 1));
  }
  if (!shape_.indirect) {
    for (uint16_t i = 0; i < kDescsPerChain; ++i) {
      vm_->data_ring().SetDescriptor(static_cast<uint16_t>(first + i), descs[i]);
    }
    return;
  }
  const uint64_t table = ram.Allocate(sizeof descs, kAlign);
  std::ranges::copy(std::as_bytes(std::span(descs)),
                    std::as_writable_bytes(ram.At(table, sizeof descs)).begin());
  vm_->data_ring().SetDescriptor(index, Desc(table, sizeof descs, wire::VRING_DESC_F_INDIRECT));
}

std::optional<double> PipelinedLoad::Run(std::chrono::duration<double> time) {
  DriverRing& ring = vm_->data_ring();
  num_done_ = 0;
  for (uint16_t i = 0; i < shape_.depth; ++i) {
    vm_->ram().At(status_addrs_[i], 1)[0] = CryptoVm::kUntouched;
    ring.Push(Head(i));
  }
  const auto begin = Clock::now();
  Publish();
  std::chrono::duration<double> elapsed{};
  while (elapsed < time) {
    if (!Collect(true)) return std::nullopt;
    elapsed = Clock::now() - begin;
  }
  const double rate = static_cast<double>(num_done_) / elapsed.count();
  if (!Drain() || num_done_ == 0 || !OutputsRight()) return std::nullopt;
  return rate;
}

bool PipelinedLoad::Collect(bool again) {
  DriverRing& ring = vm_->data_ring();
  bool idle = true;
  while (const auto entry = ring.PopUsed()) {
    idle = false;
    const uint32_t index = entry->id.get() / SlotsPerChain(shape_);
    if (index >= shape_.depth) return false;
    uint8_t& status = vm_->ram().At(status_addrs_[index], 1)[0];
    if (status != wire::VIRTIO_CRYPTO_OK) return false;
    ++num_done_;
    if (!again) continue;
    status = CryptoVm::kUntouched;
    ring.Push(Head(static_cast<uint16_t>(index)));
    if (++num_pending_ >= shape_.publish_each) Publish();
  }
  if (idle && num_pending_ != 0) Publish();
  // A kick whose predecessor is still on its way is tried again.
  if (kick_owed_) {
    kick_owed_ = !vm_->client().TryWrite16(vm_->data_notify_addr(), 0);
  }
  return vm_->client().ok();
}

void PipelinedLoad::Publish() {
  vm_->data_ring().Publish();
  num_pending_ = 0;
  if (vm_->data_ring().device_wants_kicks()) kick_owed_ = true;
}

bool PipelinedLoad::Drain() {
  Publish();
  const auto end = Clock::now() + kDrainPatience;
  while (vm_->data_ring().num_outstanding() != 0) {
    if (!Collect(false) || Clock::now() > end) return false;
  }
  return true;
}

bool PipelinedLoad::OutputsRight() const {
  const std::vector<uint8_t> expected =
      OpensslCipher("AES-128-CBC", true, CountingBytes(kKeyLen), CountingBytes(kIvLen),
                    CountingBytes(shape_.len));
  return std::ranges::all_of(dst_addrs_, [&](uint64_t addr) {
    return std::ranges::equal(vm_->ram().At(addr, shape_.len), expected);
  });
}

}  // namespace sealane::testing
