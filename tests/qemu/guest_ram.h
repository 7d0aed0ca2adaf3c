// SPDX-License-Identifier: Apache-2.0
//
// GuestRam: the guest's memory, a memfd shared with QEMU, with a bump allocator over it. Nothing is
// left behind when the process ends, however it ends. One thread; QEMU and a back-end write to it
// meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/base/unique_fd.h"

namespace sealane::testing {

class GuestRam {
 public:
  explicit GuestRam(size_t size);
  ~GuestRam();
  GuestRam(const GuestRam&) = delete;
  GuestRam& operator=(const GuestRam&) = delete;

  int fd() const { return fd_.get(); }
  size_t size() const { return bytes_.size(); }

  // The bytes at a guest address; they must lie inside.
  std::span<uint8_t> At(uint64_t addr, size_t len) const;

  // A guest address of `len` bytes that nobody else has.
  uint64_t Allocate(size_t len, size_t align);

  // For giving back all that was allocated since.
  uint64_t mark() const { return next_; }
  void Release(uint64_t mark) { next_ = mark; }

 private:
  UniqueFd fd_;
  std::span<uint8_t> bytes_;
  uint64_t next_;
};

}  // namespace sealane::testing
