// SPDX-License-Identifier: Apache-2.0
//
// Mapping: a shared mapping of a file that a peer handed over (or that we made for it). Owns the
// mapping, not the descriptor. The file may still shrink later; the next access then raises SIGBUS,
// which sealaned turns into one log line and an exit. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sealane/base/result.h"

namespace sealane::mem {

class Mapping {
 public:
  // Maps [offset, offset + size) of `fd` for reading and writing. Fails unless the file holds that
  // many bytes now. The offset need not be page-aligned.
  static Result<Mapping> FromFd(int fd, uint64_t offset, uint64_t size);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) = delete;
  ~Mapping();

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  Mapping(void* base, size_t base_size, size_t skip, size_t size);
  void* base_ = nullptr;  // what mmap returned; data_ lies `skip` bytes further
  size_t base_size_ = 0;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace sealane::mem
