// SPDX-License-Identifier: Apache-2.0
//
// DmaRegion: one piece of memory that driver and device share: rings, request slots, and buffers of
// callers who want no copy. Backed by a sealed memfd, so that a peer that holds the descriptor can
// neither shrink nor grow it. Held by shared_ptr: a DmaBuffer keeps its region mapped.
// Any thread; the allocator has its own lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/mem/guest_range.h"
#include "sealane/mem/mapping.h"

namespace sealane::driver {

class DmaRegion;

// A block of a DmaRegion; gives it back when destroyed. The device may write to it at any time: do
// not destroy it while a request that names it is in flight. Movable; not for sharing.
class DmaBuffer {
 public:
  DmaBuffer() = default;
  DmaBuffer(DmaBuffer&& other) noexcept;
  DmaBuffer& operator=(DmaBuffer&& other) noexcept;
  ~DmaBuffer() { Release(); }

  mem::GuestAddr addr() const { return addr_; }
  std::span<uint8_t> bytes() const { return bytes_; }
  mem::GuestRange range() const { return {bytes_.data(), bytes_.size()}; }
  bool valid() const { return region_ != nullptr; }

 private:
  friend class DmaRegion;
  void Release();
  std::shared_ptr<DmaRegion> region_;
  mem::GuestAddr addr_{};
  std::span<uint8_t> bytes_;
};

class DmaRegion : public std::enable_shared_from_this<DmaRegion> {
 public:
  static constexpr size_t kMinBlock = 64;                  // bytes; also the least alignment
  static constexpr uint64_t kMaxSize = uint64_t{1} << 40;  // bytes

  // `size` bytes (rounded up to whole pages; pages cost memory only once touched) that the device
  // finds at `base`, which is page-aligned.
  static Result<std::shared_ptr<DmaRegion>> Create(uint64_t size, mem::GuestAddr base);

  // A block of `size` bytes (not 0), aligned to its size rounded up to a power of two, at most to a
  // page. Blocks are reused for the same rounded size only: powers of two up to a page, then whole
  // pages. The bytes are not initialised. kNoSpace when the region is used up.
  Result<DmaBuffer> Allocate(size_t size);

  // The device's address of memory that lies wholly in this region, else nothing.
  std::optional<mem::GuestAddr> AddressOf(std::span<const uint8_t> bytes) const {
    // SAFETY: only the number is used.
    const uint64_t offset = reinterpret_cast<uintptr_t>(bytes.data()) - data_;
    if (offset > size() || bytes.size() > size() - offset) return std::nullopt;
    return mem::GuestAddr{Raw(base_) + offset};
  }

  // The memory behind a device address, for transports and tests.
  Result<mem::GuestRange> Translate(mem::GuestAddr addr, uint64_t len) const;

  mem::GuestAddr base() const { return base_; }
  uint64_t size() const { return mapping_->size(); }
  uint8_t* data() const { return mapping_->data(); }
  int fd() const { return fd_.get(); }  // for the peer to map, from offset 0
  const std::shared_ptr<const mem::Mapping>& mapping() const { return mapping_; }

 private:
  friend class DmaBuffer;
  DmaRegion(UniqueFd fd, std::shared_ptr<const mem::Mapping> mapping, mem::GuestAddr base);
  std::optional<uint64_t> TakeLocked(size_t rounded);
  void Free(std::span<uint8_t> bytes);

  const UniqueFd fd_;
  const std::shared_ptr<const mem::Mapping> mapping_;
  const mem::GuestAddr base_;
  const uintptr_t data_;  // mapping_->data() as a number

  std::mutex mutex_;
  uint64_t next_ = 0;                             // bytes handed out for the first time so far
  std::map<size_t, std::vector<uint64_t>> free_;  // offsets, by rounded size
};

}  // namespace sealane::driver
