// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/guest_fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "sealane/base/check.h"
#include "sealane/base/checked_math.h"
#include "sealane/mem/shared_access.h"
#include "sealane/ring/range_cursor.h"

namespace sealane::testing {

using mem::FrontendAddr;
using mem::GuestAddr;

GuestFixture::GuestFixture(uint64_t region_size) : region_size_(region_size) {
  for (int i = 0; i < 2; ++i) {
    fds_.emplace_back(::memfd_create("guest_fixture", MFD_CLOEXEC));
    SL_CHECK(::ftruncate(fds_.back().get(), static_cast<off_t>(region_size)) == 0);
  }
  memory_ = MapAgain();
}

std::shared_ptr<const mem::GuestMemory> GuestFixture::MapAgain() const {
  std::vector<mem::MemoryRegion> regions;
  for (uint64_t i = 0; i < fds_.size(); ++i) {
    auto mapping = mem::Mapping::FromFd(fds_[i].get(), 0, region_size_);
    SL_CHECK(mapping.has_value());
    regions.push_back({.guest_addr = GuestAddr{kBase + i * region_size_},
                       .frontend_addr = FrontendAddr{kFrontendBase + 2 * i * region_size_},
                       .mapping = std::make_shared<const mem::Mapping>(std::move(*mapping))});
  }
  auto memory = mem::GuestMemory::Create(std::move(regions));
  SL_CHECK(memory.has_value());
  return *memory;
}

GuestAddr GuestFixture::Allocate(uint64_t size, uint64_t align) {
  next_ = (next_ + align - 1) / align * align;
  const GuestAddr addr{next_};
  next_ += size;
  SL_CHECK(next_ <= kBase + 2 * region_size_);
  return addr;
}

FrontendAddr GuestFixture::ToFrontend(GuestAddr addr) const {
  const uint64_t offset = Raw(addr) - kBase;
  const uint64_t region = offset / region_size_;
  return FrontendAddr{kFrontendBase + 2 * region * region_size_ + offset % region_size_};
}

bool GuestFixture::Contains(const mem::GuestRange& range) const {
  // SAFETY: only the numbers are used.
  const auto at = reinterpret_cast<uintptr_t>(mem::RawData(range));
  return std::ranges::any_of(memory_->regions(), [&](const mem::MemoryRegion& region) {
    // SAFETY: only the numbers are used.
    const auto begin = reinterpret_cast<uintptr_t>(region.mapping->data());
    return at >= begin && FitsWithin<uint64_t>(at - begin, range.size(), region.size());
  });
}

void GuestFixture::Write(GuestAddr addr, std::span<const uint8_t> bytes) {
  std::vector<mem::GuestRange> ranges;
  SL_CHECK(memory_->Append(addr, bytes.size(), ranges));
  SL_CHECK(ring::RangeCursor(ranges).CopyIn(bytes));
}

std::vector<uint8_t> GuestFixture::Read(GuestAddr addr, uint64_t len) const {
  std::vector<uint8_t> bytes(len);
  SL_CHECK(memory_->Read(addr, bytes));
  return bytes;
}

std::vector<uint8_t> ReadRanges(std::span<const mem::GuestRange> ranges) {
  std::vector<uint8_t> all;
  for (const mem::GuestRange& range : ranges) {
    const size_t before = all.size();
    all.resize(before + range.size());
    range.CopyTo(0, std::span(all).subspan(before));
  }
  return all;
}

}  // namespace sealane::testing
