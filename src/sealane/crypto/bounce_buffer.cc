// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/bounce_buffer.h"

#include <algorithm>
#include <bit>
#include <new>

#include "sealane/base/check.h"
#include "sealane/base/secret.h"
#include "sealane/crypto/algorithm.h"

namespace sealane::crypto {
namespace {

constexpr size_t kMinCapacity = size_t{64} << 10;

}  // namespace

std::span<uint8_t> BounceBuffer::Get(size_t size) {
  SL_CHECK(size <= kMaxPayload);
  if (size > capacity_) {
    Release();
    // By doubling, so that slowly growing requests do not allocate each time.
    const size_t capacity = std::bit_ceil(std::max(size, kMinCapacity));
    data_.reset(new (std::nothrow) uint8_t[capacity]);
    if (!data_) return {};
    capacity_ = capacity;
  }
  used_ = std::max(used_, size);
  return {data_.get(), size};
}

void BounceBuffer::Release() {
  if (data_) WipeBytes({data_.get(), used_});
  data_.reset();
  capacity_ = 0;
  used_ = 0;
}

}  // namespace sealane::crypto
