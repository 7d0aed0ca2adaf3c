// SPDX-License-Identifier: Apache-2.0
//
// BounceBuffer: memory of our own in which a payload that is not one piece is processed. It grows
// on demand and forgets: plaintext is wiped before the memory is given back. Owned by a lane; one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sealane::crypto {

class BounceBuffer {
 public:
  // What Trim leaves in place, so that ordinary requests do not allocate.
  static constexpr size_t kKeptCapacity = size_t{256} << 10;

  BounceBuffer() = default;
  ~BounceBuffer() { Release(); }
  BounceBuffer(const BounceBuffer&) = delete;
  BounceBuffer& operator=(const BounceBuffer&) = delete;

  // `size` bytes (at most kMaxPayload, not 0), valid until the next call of any member; what they
  // contain is not specified. Empty when memory runs out.
  std::span<uint8_t> Get(size_t size);

  // Between batches: gives memory back beyond kKeptCapacity.
  void Trim() {
    if (capacity_ > kKeptCapacity) Release();
  }

  size_t capacity() const { return capacity_; }

 private:
  void Release();

  std::unique_ptr<uint8_t[]> data_;
  size_t capacity_ = 0;
  size_t used_ = 0;  // bytes from the front that may hold plaintext
};

}  // namespace sealane::crypto
