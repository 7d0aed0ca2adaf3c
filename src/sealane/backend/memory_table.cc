// SPDX-License-Identifier: Apache-2.0
#include "sealane/backend/memory_table.h"

#include <algorithm>

namespace sealane::backend {
namespace {

using mem::FrontendAddr;
using mem::GuestAddr;
using mem::MemoryRegion;

Result<MemoryRegion> MapRegion(const wire::vhost_user_memory_region& region, const UniqueFd& fd) {
  SL_ASSIGN_OR_RETURN(auto mapping,
                      mem::Mapping::FromFd(fd.get(), region.mmap_offset, region.memory_size));
  return MemoryRegion{.guest_addr = GuestAddr{region.guest_phys_addr},
                      .frontend_addr = FrontendAddr{region.userspace_addr},
                      .mapping = std::make_shared<const mem::Mapping>(std::move(mapping))};
}

}  // namespace

Result<MemoryTable::Table> MemoryTable::Adopt(std::vector<MemoryRegion> regions) {
  SL_ASSIGN_OR_RETURN(Table table, mem::GuestMemory::Create(regions));
  regions_ = std::move(regions);
  return table;
}

Result<MemoryTable::Table> MemoryTable::Replace(
    std::span<const wire::vhost_user_memory_region> regions, std::span<const UniqueFd> fds) {
  if (regions.size() != fds.size()) {
    return Error{ErrorCode::kInvalid, "one descriptor is needed for each memory region"};
  }
  std::vector<MemoryRegion> mapped;
  for (size_t i = 0; i < regions.size(); ++i) {
    SL_ASSIGN_OR_RETURN(MemoryRegion region, MapRegion(regions[i], fds[i]));
    mapped.push_back(std::move(region));
  }
  return Adopt(std::move(mapped));
}

Result<MemoryTable::Table> MemoryTable::Add(const wire::vhost_user_memory_region& region,
                                            const UniqueFd& fd) {
  if (regions_.size() >= mem::GuestMemory::kMaxRegions) {
    return Error{ErrorCode::kNoSpace, "too many memory regions"};
  }
  SL_ASSIGN_OR_RETURN(MemoryRegion mapped, MapRegion(region, fd));
  std::vector<MemoryRegion> regions = regions_;
  regions.push_back(std::move(mapped));
  return Adopt(std::move(regions));
}

Result<MemoryTable::Table> MemoryTable::Remove(const wire::vhost_user_memory_region& region) {
  std::vector<MemoryRegion> regions = regions_;
  const auto is_named = [&region](const MemoryRegion& other) {
    return Raw(other.guest_addr) == region.guest_phys_addr &&
           Raw(other.frontend_addr) == region.userspace_addr && other.size() == region.memory_size;
  };
  if (std::erase_if(regions, is_named) == 0) {
    return Error{ErrorCode::kNotFound, "no such memory region"};
  }
  return Adopt(std::move(regions));
}

}  // namespace sealane::backend
