// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/guest_range.h"

#include "sealane/base/check.h"
#include "sealane/base/checked_math.h"
#include "sealane/mem/shared_access.h"

namespace sealane::mem {

GuestRange GuestRange::Sub(size_t offset, size_t len) const {
  SL_CHECK(FitsWithin(offset, len, size_));
  return {data_ + offset, len};
}

void GuestRange::CopyTo(size_t offset, std::span<uint8_t> out) const {
  SL_CHECK(FitsWithin(offset, out.size(), size_));
  CopyOnce(out.data(), data_ + offset, out.size());
}

void GuestRange::CopyFrom(size_t offset, std::span<const uint8_t> bytes) const {
  SL_CHECK(FitsWithin(offset, bytes.size(), size_));
  CopyIn(data_ + offset, bytes.data(), bytes.size());
}

}  // namespace sealane::mem
