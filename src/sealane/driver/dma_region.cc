// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/dma_region.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "sealane/base/checked_math.h"

namespace sealane::driver {
namespace {

constexpr size_t kPage = 4096;

constexpr size_t RoundUp(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

constexpr size_t RoundedSize(size_t size) {
  if (size > kPage) return RoundUp(size, kPage);
  return std::max(DmaRegion::kMinBlock, std::bit_ceil(size));
}

}  // namespace

DmaBuffer::DmaBuffer(DmaBuffer&& other) noexcept
    : region_(std::move(other.region_)),
      addr_(other.addr_),
      bytes_(std::exchange(other.bytes_, {})) {}

DmaBuffer& DmaBuffer::operator=(DmaBuffer&& other) noexcept {
  if (this == &other) return *this;
  Release();
  region_ = std::move(other.region_);
  addr_ = other.addr_;
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

void DmaBuffer::Release() {
  if (region_ != nullptr) region_->Free(bytes_);
  region_.reset();
}

DmaRegion::DmaRegion(UniqueFd fd, std::shared_ptr<const mem::Mapping> mapping, mem::GuestAddr base)
    : fd_(std::move(fd)),
      mapping_(std::move(mapping)),
      base_(base),
      // SAFETY: only the number is used.
      data_(reinterpret_cast<uintptr_t>(mapping_->data())) {}

Result<std::shared_ptr<DmaRegion>> DmaRegion::Create(uint64_t size, mem::GuestAddr base) {
  if (size == 0 || size > kMaxSize || Raw(base) % kPage != 0 || !CheckedAdd(Raw(base), kMaxSize)) {
    return Error{ErrorCode::kInvalid, "impossible size or base of DMA memory"};
  }
  const size_t rounded = RoundUp(size, kPage);
  UniqueFd fd(::memfd_create("sealane-dma", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return SystemError("memfd_create for DMA memory");
  if (::ftruncate(fd.get(), static_cast<off_t>(rounded)) != 0) {
    return SystemError("ftruncate of DMA memory");
  }
  // The peer gets this descriptor: without the seals it could make our next access raise SIGBUS.
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return SystemError("sealing DMA memory");
  }
  SL_ASSIGN_OR_RETURN(auto mapping, mem::Mapping::FromFd(fd.get(), 0, rounded));
  auto shared = std::make_shared<const mem::Mapping>(std::move(mapping));
  return std::shared_ptr<DmaRegion>(new DmaRegion(std::move(fd), std::move(shared), base));
}

std::optional<uint64_t> DmaRegion::TakeLocked(size_t rounded) {
  auto& reusable = free_[rounded];
  if (!reusable.empty()) {
    const uint64_t offset = reusable.back();
    reusable.pop_back();
    return offset;
  }
  const uint64_t offset = RoundUp(next_, std::min(rounded, kPage));
  if (!FitsWithin<uint64_t>(offset, rounded, this->size())) return std::nullopt;
  next_ = offset + rounded;
  return offset;
}

Result<DmaBuffer> DmaRegion::Allocate(size_t size) {
  if (size == 0) return Error{ErrorCode::kInvalid, "empty DMA buffer"};
  if (size > this->size()) return Error{ErrorCode::kNoSpace, "DMA memory is used up"};
  const std::lock_guard lock(mutex_);
  const auto offset = TakeLocked(RoundedSize(size));
  if (!offset) return Error{ErrorCode::kNoSpace, "DMA memory is used up"};
  DmaBuffer buffer;
  buffer.region_ = shared_from_this();
  buffer.addr_ = mem::GuestAddr{Raw(base_) + *offset};
  buffer.bytes_ = {data() + *offset, size};
  return buffer;
}

void DmaRegion::Free(std::span<uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  free_[RoundedSize(bytes.size())].push_back(static_cast<uint64_t>(bytes.data() - data()));
}

Result<mem::GuestRange> DmaRegion::Translate(mem::GuestAddr addr, uint64_t len) const {
  const uint64_t offset = Raw(addr) - Raw(base_);
  if (!FitsWithin(offset, len, size())) {
    return Error{ErrorCode::kOutOfRange, "address outside DMA memory"};
  }
  return mem::GuestRange(data() + offset, len);
}

}  // namespace sealane::driver
