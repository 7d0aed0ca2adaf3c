// SPDX-License-Identifier: Apache-2.0
//
// Request: one cipher operation as a caller of the driver sees it (virtio 1.3, 5.9.7.3). The caller
// owns it; the driver borrows it from Submit until it comes back, and may be resubmitted or freed
// right then. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/driver/session.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

inline constexpr size_t kMaxIvLen = 16;  // bytes; the longest of any cipher here

struct Request {
  // What to do. The session's own direction must agree.
  SessionId session{};
  Operation operation = Operation::kEncrypt;
  std::span<const uint8_t> iv{};  // at most kMaxIvLen; copied by Submit, so free for reuse after it

  // The payload: source and destination of the same length, equal or disjoint. Both stay valid
  // until the request comes back. A side that lies in the driver's DMA memory
  // (CryptoDriver::AllocateBuffer) is not copied, and must not be touched meanwhile. Else the
  // source is copied by Submit, and the destination is filled when the request comes back, only
  // with kOk.
  std::span<const uint8_t> src{};
  std::span<uint8_t> dst{};
  // The same in pieces, instead of `src` and `dst`: same total; either list may be used alone.
  std::span<const std::span<const uint8_t>> src_pieces{};
  std::span<const std::span<uint8_t>> dst_pieces{};

  bool want_next_iv = false;  // CBC: fill `next_iv`

  // The caller's own.
  uint64_t cookie = 0;
  void (*on_done)(Request&) = nullptr;  // called by DataChannel::Dispatch and on destruction only

  // Results.
  Status status = Status::kOk;               // kPending from Submit on
  std::array<uint8_t, kMaxIvLen> next_iv{};  // the last iv.size() bytes of the ciphertext, with kOk
};

}  // namespace sealane::driver
