// SPDX-License-Identifier: Apache-2.0
//
// GuestMemory: the table of a guest's memory regions. Immutable: a changed table is a new object,
// and a mapping lives as long as some table holds it, so that a region is unmapped only after every
// worker let go. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/mem/guest_range.h"
#include "sealane/mem/mapping.h"

namespace sealane::mem {

struct MemoryRegion {
  GuestAddr guest_addr{};
  FrontendAddr frontend_addr{};
  std::shared_ptr<const Mapping> mapping;  // its size is the region's

  uint64_t size() const { return mapping->size(); }
};

class GuestMemory {
 public:
  static constexpr size_t kMaxRegions = 512;

  // Refuses more than kMaxRegions, regions that wrap around, and regions that overlap in either
  // address space.
  static Result<std::shared_ptr<const GuestMemory>> Create(std::vector<MemoryRegion> regions);

  // [addr, addr + len) as one range. Fails if it is not wholly inside one region.
  Result<GuestRange> Translate(GuestAddr addr, uint64_t len) const;
  Result<GuestRange> Translate(FrontendAddr addr, uint64_t len) const;

  // Appends the ranges that make up [addr, addr + len), which may span adjacent regions. On failure
  // nothing useful was appended. A length of 0 appends nothing and always succeeds.
  [[nodiscard]] bool Append(GuestAddr addr, uint64_t len, std::vector<GuestRange>& ranges) const;

  // Copies out.size() bytes, each read once, over any number of adjacent regions.
  [[nodiscard]] bool Read(GuestAddr addr, std::span<uint8_t> out) const;

  std::span<const MemoryRegion> regions() const { return regions_; }

 private:
  explicit GuestMemory(std::vector<MemoryRegion> regions) : regions_(std::move(regions)) {}
  const MemoryRegion* Find(GuestAddr addr) const;

  std::vector<MemoryRegion> regions_;  // sorted by guest_addr
};

}  // namespace sealane::mem
