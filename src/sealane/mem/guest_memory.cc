// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/guest_memory.h"

#include <algorithm>

#include "sealane/base/checked_math.h"

namespace sealane::mem {
namespace {

// Sorts by one of the two address spaces and refuses wrap-around and overlap in it.
template <class Addr>
Result<void> SortAndCheck(std::vector<MemoryRegion>& regions, Addr MemoryRegion::* addr) {
  std::ranges::sort(regions, {}, addr);
  uint64_t previous_end = 0;
  for (const MemoryRegion& region : regions) {
    const auto end = CheckedAdd(Raw(region.*addr), region.size());
    if (!end) return Error{ErrorCode::kInvalid, "memory region wraps around"};
    if (Raw(region.*addr) < previous_end) {
      return Error{ErrorCode::kInvalid, "memory regions overlap"};
    }
    previous_end = *end;
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const GuestMemory>> GuestMemory::Create(std::vector<MemoryRegion> regions) {
  if (regions.size() > kMaxRegions) return Error{ErrorCode::kNoSpace, "too many memory regions"};
  SL_RETURN_IF_ERROR(SortAndCheck(regions, &MemoryRegion::frontend_addr));
  SL_RETURN_IF_ERROR(SortAndCheck(regions, &MemoryRegion::guest_addr));
  return std::shared_ptr<const GuestMemory>(new GuestMemory(std::move(regions)));
}

const MemoryRegion* GuestMemory::Find(GuestAddr addr) const {
  // The last region that begins at or before `addr`.
  const auto after = std::ranges::upper_bound(regions_, addr, {}, &MemoryRegion::guest_addr);
  if (after == regions_.begin()) return nullptr;
  const MemoryRegion& region = *(after - 1);
  return Raw(addr) - Raw(region.guest_addr) < region.size() ? &region : nullptr;
}

Result<GuestRange> GuestMemory::Translate(GuestAddr addr, uint64_t len) const {
  const MemoryRegion* region = Find(addr);
  if (region == nullptr) return Error{ErrorCode::kOutOfRange, "address outside guest memory"};
  const uint64_t offset = Raw(addr) - Raw(region->guest_addr);
  if (len > region->size() - offset) {
    return Error{ErrorCode::kOutOfRange, "range leaves its memory region"};
  }
  return GuestRange(region->mapping->data() + offset, len);
}

Result<GuestRange> GuestMemory::Translate(FrontendAddr addr, uint64_t len) const {
  for (const MemoryRegion& region : regions_) {
    if (addr < region.frontend_addr) continue;
    const uint64_t offset = Raw(addr) - Raw(region.frontend_addr);
    if (!FitsWithin(offset, len, region.size())) continue;
    return GuestRange(region.mapping->data() + offset, len);
  }
  return Error{ErrorCode::kOutOfRange, "front-end address outside one memory region"};
}

bool GuestMemory::Append(GuestAddr addr, uint64_t len, std::vector<GuestRange>& ranges) const {
  uint64_t at = Raw(addr);
  if (!CheckedAdd(at, len)) return false;
  while (len != 0) {
    const MemoryRegion* region = Find(GuestAddr{at});
    if (region == nullptr) return false;
    const uint64_t offset = at - Raw(region->guest_addr);
    const uint64_t part = std::min(len, region->size() - offset);
    ranges.emplace_back(region->mapping->data() + offset, part);
    at += part;
    len -= part;
  }
  return true;
}

bool GuestMemory::Read(GuestAddr addr, std::span<uint8_t> out) const {
  uint64_t at = Raw(addr);
  if (!CheckedAdd(at, uint64_t{out.size()})) return false;
  while (!out.empty()) {
    const MemoryRegion* region = Find(GuestAddr{at});
    if (region == nullptr) return false;
    const uint64_t offset = at - Raw(region->guest_addr);
    const uint64_t part = std::min<uint64_t>(out.size(), region->size() - offset);
    GuestRange(region->mapping->data() + offset, part).CopyTo(0, out.first(part));
    at += part;
    out = out.subspan(part);
  }
  return true;
}

}  // namespace sealane::mem
