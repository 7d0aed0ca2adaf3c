// SPDX-License-Identifier: Apache-2.0
#include "chain_memory.h"

#include <algorithm>

#include "sealane/base/check.h"

namespace sealane::testing {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t kGuardLen = 64;

}  // namespace

ChainMemory::ChainMemory(GuestRam& ram, const ChainShape& shape)
    : ram_(&ram), shape_(&shape), num_readable_(shape.readable.size()) {
  for (const auto& bytes : shape.readable) AddReadable(bytes);
  for (size_t i = 0; i < shape.writable.size(); ++i) {
    AddWritable(shape.writable[i], shape.in_place && i == 0);
  }
  Link();
}

void ChainMemory::AddReadable(const std::vector<uint8_t>& bytes) {
  const uint64_t addr = ram_->Allocate(bytes.size() + kGuardLen, kAlign);
  std::ranges::copy(bytes, ram_->At(addr, bytes.size()).begin());
  std::ranges::fill(ram_->At(addr + bytes.size(), kGuardLen), CryptoVm::kUntouched);
  descs_.push_back({.addr = Le64(addr),
                    .len = Le32(static_cast<uint32_t>(bytes.size())),
                    .flags = Le16(0),
                    .next = Le16(0)});
}

void ChainMemory::AddWritable(uint32_t len, bool in_place) {
  uint64_t addr = 0;
  if (in_place) {
    SL_CHECK(num_readable_ != 0 && descs_[num_readable_ - 1].len.get() == len);
    addr = descs_[num_readable_ - 1].addr.get();
  } else {
    addr = ram_->Allocate(len + kGuardLen, kAlign);
    std::ranges::fill(ram_->At(addr, len + kGuardLen), CryptoVm::kUntouched);
  }
  descs_.push_back({.addr = Le64(addr),
                    .len = Le32(len),
                    .flags = Le16(wire::VRING_DESC_F_WRITE),
                    .next = Le16(0)});
}

void ChainMemory::Link() {
  for (size_t i = 0; i + 1 < descs_.size(); ++i) {
    descs_[i].flags.set(descs_[i].flags.get() | wire::VRING_DESC_F_NEXT);
    descs_[i].next.set(static_cast<uint16_t>(i + 1));
  }
}

void ChainMemory::WriteDescriptors(DriverRing& ring) const {
  const size_t table_len = wire::DescTableSize(descs_.size());
  const uint64_t table =
      shape_->indirect ? ram_->Allocate(table_len, kAlign) : ring.addresses().desc;
  std::vector<wire::vring_desc> descs = descs_;
  if (shape_->spoil) shape_->spoil(descs, table);
  if (!shape_->indirect) {
    SL_CHECK(descs.size() <= ring.size());
    for (size_t i = 0; i < descs.size(); ++i) {
      ring.SetDescriptor(static_cast<uint16_t>(i), descs[i]);
    }
    return;
  }
  const auto bytes = std::as_bytes(std::span(descs));
  std::ranges::copy(bytes, std::as_writable_bytes(ram_->At(table, table_len)).begin());
  ring.SetDescriptor(0, {.addr = Le64(table),
                         .len = Le32(static_cast<uint32_t>(table_len)),
                         .flags = Le16(wire::VRING_DESC_F_INDIRECT),
                         .next = Le16(0)});
}

std::vector<uint8_t> ChainMemory::Written() const {
  std::vector<uint8_t> written;
  for (const wire::vring_desc& desc : std::span(descs_).subspan(num_readable_)) {
    const auto bytes = ram_->At(desc.addr.get(), desc.len.get());
    written.insert(written.end(), bytes.begin(), bytes.end());
  }
  return written;
}

bool ChainMemory::GuardsChanged() const {
  return std::ranges::any_of(descs_, [this](const wire::vring_desc& desc) {
    const auto guard = ram_->At(desc.addr.get() + desc.len.get(), kGuardLen);
    return !std::ranges::all_of(guard, [](uint8_t b) { return b == CryptoVm::kUntouched; });
  });
}

}  // namespace sealane::testing
