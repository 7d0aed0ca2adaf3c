// SPDX-License-Identifier: Apache-2.0
//
// MemoryTable: the regions that a front-end has handed over so far (SET_MEM_TABLE, ADD_MEM_REG,
// REM_MEM_REG), and the immutable GuestMemory made of them after each change. A change that fails
// leaves everything as it was. One thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"
#include "sealane/mem/guest_memory.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::backend {

class MemoryTable {
 public:
  using Table = std::shared_ptr<const mem::GuestMemory>;

  // One descriptor for each region. Returns the new table.
  Result<Table> Replace(std::span<const wire::vhost_user_memory_region> regions,
                        std::span<const UniqueFd> fds);
  Result<Table> Add(const wire::vhost_user_memory_region& region, const UniqueFd& fd);
  // The region is named by its addresses and size.
  Result<Table> Remove(const wire::vhost_user_memory_region& region);

  bool empty() const { return regions_.empty(); }

 private:
  Result<Table> Adopt(std::vector<mem::MemoryRegion> regions);
  std::vector<mem::MemoryRegion> regions_;
};

}  // namespace sealane::backend
