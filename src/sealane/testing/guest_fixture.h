// SPDX-License-Identifier: Apache-2.0
//
// GuestFixture: a small guest's memory for tests: two regions that touch in guest addresses, each
// its own memfd, as a front-end would hand over. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sealane/base/unique_fd.h"
#include "sealane/mem/guest_memory.h"

namespace sealane::testing {

class GuestFixture {
 public:
  static constexpr uint64_t kBase = 0x10000;  // guest address of the first region
  static constexpr uint64_t kFrontendBase =
      0x7f0000000000;  // the regions' front-end addresses begin here, apart

  explicit GuestFixture(uint64_t region_size = uint64_t{4} << 20);

  const std::shared_ptr<const mem::GuestMemory>& memory() const { return memory_; }

  // The file of region `i`, for handing over; stays ours.
  int fd(size_t i) const { return fds_[i].get(); }

  // The same table as a new object, mapped anew.
  std::shared_ptr<const mem::GuestMemory> MapAgain() const;

  // The next free piece of memory. Aborts the test when the memory is used up.
  mem::GuestAddr Allocate(uint64_t size, uint64_t align = 16);

  // The front-end's address of the same byte.
  mem::FrontendAddr ToFrontend(mem::GuestAddr addr) const;

  // The first address behind all memory.
  mem::GuestAddr end() const { return mem::GuestAddr{kBase + 2 * region_size_}; }

  // Whether the range lies in one of this fixture's own mappings. A sanitizer alone would not see a
  // range that runs from one mapping into whatever is mapped behind it.
  bool Contains(const mem::GuestRange& range) const;

  // Where the two regions touch.
  mem::GuestAddr boundary() const { return mem::GuestAddr{kBase + region_size_}; }

  void Write(mem::GuestAddr addr, std::span<const uint8_t> bytes);
  std::vector<uint8_t> Read(mem::GuestAddr addr, uint64_t len) const;

 private:
  uint64_t region_size_;
  std::vector<UniqueFd> fds_;
  std::shared_ptr<const mem::GuestMemory> memory_;
  uint64_t next_ = kBase;
};

// All bytes of these ranges, joined.
std::vector<uint8_t> ReadRanges(std::span<const mem::GuestRange> ranges);

}  // namespace sealane::testing
