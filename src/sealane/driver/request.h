// SPDX-License-Identifier: Apache-2.0
//
// Request: one operation as a caller of the driver sees it (virtio 1.3, 5.9.7.3 to 5.9.7.8). The
// caller owns it; the driver borrows it from Submit until it comes back, and it may be resubmitted
// or freed right then. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/driver/session.h"
#include "sealane/driver/status.h"

namespace sealane::driver {

inline constexpr size_t kMaxIvLen = 16;  // bytes; the longest of any cipher here

// What kind of session a request is of.
enum class RequestKind : uint8_t { kCipher, kChain, kHash, kMac, kAead, kAkcipher };

// Part of a payload, bytes.
struct PayloadPart {
  uint32_t offset = 0;
  uint32_t len = 0;
};

struct Request {
  // What to do. The session's own direction must agree.
  RequestKind kind = RequestKind::kCipher;
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

  // Of all kinds but kCipher. `src` and `dst` are then whole, copied both ways, and need not have
  // the same length: the destination has that of the source (kChain, kAead), of the digest or MAC
  // (kHash, kMac), or as much room as there is (kAkcipher). A MAC that takes an IV finds it at the
  // front of the source.
  std::span<const uint8_t> aad{};  // kChain, kAead. kAkcipher with kVerify: the digest, `src` being
                                   // the signature.
  std::span<uint8_t> tag{};        // kAead: read by kDecrypt, else written; kChain: the digest
  PayloadPart cipher_part{};       // kChain: of the source, what is encrypted or decrypted,
  PayloadPart hash_part{};         // and of the source or the result what is hashed
  // Not null: instead of `session`, whose params the request brings with it. For devices with
  // REVISION_1 and the service's STATELESS_MODE. Keys are read by Submit, and wiped from shared
  // memory when the request comes back.
  const SessionParams* stateless = nullptr;

  // The caller's own.
  uint64_t cookie = 0;
  void (*on_done)(Request&) = nullptr;  // called by DataChannel::Dispatch and on destruction only

  // Results.
  Status status = Status::kOk;  // kPending from Submit on
  size_t out_len = 0;           // kAkcipher, with kOk: bytes of `dst` that were written
  std::array<uint8_t, kMaxIvLen> next_iv{};  // the last iv.size() bytes of the ciphertext, with kOk
};

}  // namespace sealane::driver
