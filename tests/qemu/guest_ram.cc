// SPDX-License-Identifier: Apache-2.0
#include "guest_ram.h"

#include <sys/mman.h>

#include "sealane/base/check.h"

namespace sealane::testing {
namespace {

// Above the first megabyte, which a PC cuts up for its legacy devices.
constexpr uint64_t kFirstFree = 0x10'0000;

}  // namespace

GuestRam::GuestRam(size_t size)
    // Not close-on-exec: QEMU opens it again by its number.
    : fd_(::memfd_create("guest-ram", 0)), next_(kFirstFree) {
  SL_CHECK(fd_.valid() && ::ftruncate(fd_.get(), static_cast<off_t>(size)) == 0);
  void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  SL_CHECK(mapped != MAP_FAILED);
  bytes_ = {static_cast<uint8_t*>(mapped), size};
}

GuestRam::~GuestRam() { ::munmap(bytes_.data(), bytes_.size()); }

std::span<uint8_t> GuestRam::At(uint64_t addr, size_t len) const {
  SL_CHECK(addr <= bytes_.size() && len <= bytes_.size() - addr);
  return bytes_.subspan(addr, len);
}

uint64_t GuestRam::Allocate(size_t len, size_t align) {
  const uint64_t addr = (next_ + align - 1) / align * align;
  SL_CHECK(addr <= bytes_.size() && len <= bytes_.size() - addr);
  next_ = addr + len;
  return addr;
}

}  // namespace sealane::testing
