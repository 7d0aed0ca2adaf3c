// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/mapping.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <limits>
#include <utility>

#include "sealane/base/checked_math.h"

namespace sealane::mem {
namespace {

// mmap wants offsets (and munmap lengths) in whole pages, on hugetlbfs in whole huge pages.
Result<uint64_t> PageSizeOf(int fd) {
  struct statfs filesystem{};
  if (::fstatfs(fd, &filesystem) != 0) return SystemError("fstatfs of a memory region");
  if (filesystem.f_type == HUGETLBFS_MAGIC) return static_cast<uint64_t>(filesystem.f_bsize);
  return static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

Result<void> CheckFileHolds(int fd, uint64_t end) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return SystemError("fstat of a memory region");
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::kInvalid, "memory region is not a file"};
  if (info.st_size < 0 || static_cast<uint64_t>(info.st_size) < end) {
    return Error{ErrorCode::kOutOfRange, "memory region is larger than its file"};
  }
  return {};
}

}  // namespace

Result<Mapping> Mapping::FromFd(int fd, uint64_t offset, uint64_t size) {
  const auto end = CheckedAdd(offset, size);
  if (size == 0 || !end || *end > uint64_t{std::numeric_limits<int64_t>::max()}) {
    return Error{ErrorCode::kInvalid, "memory region's size or offset is impossible"};
  }
  SL_RETURN_IF_ERROR(CheckFileHolds(fd, *end));
  SL_ASSIGN_OR_RETURN(const uint64_t page, PageSizeOf(fd));
  const uint64_t skip = offset % page;
  const uint64_t base_size = (skip + size + page - 1) / page * page;
  void* base = ::mmap(nullptr, base_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      static_cast<off_t>(offset - skip));
  if (base == MAP_FAILED) return SystemError("mmap of a memory region");
  return Mapping(base, base_size, skip, size);
}

Mapping::Mapping(void* base, size_t base_size, size_t skip, size_t size)
    : base_(base), base_size_(base_size), data_(static_cast<uint8_t*>(base) + skip), size_(size) {}

Mapping::Mapping(Mapping&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      base_size_(std::exchange(other.base_size_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

Mapping::~Mapping() {
  if (base_ != nullptr) ::munmap(base_, base_size_);
}

}  // namespace sealane::mem
