// SPDX-License-Identifier: Apache-2.0
//
// Op: one operation as a lane sees it. Whoever made it owns it; a lane borrows it from Submit until
// Poll returns it, and meanwhile only reads the inputs and sets the results. One thread at a time.
//
// What the session is decides what counts:
//
//            | src             | dst           | aad     | iv  | tag          | ranges
//   cipher   | len             | len           | -       | yes | -            | -
//   chain    | len             | len           | yes     | yes | out: digest  | both
//   hash     | len             | the digest    | -       | -   | -            | -
//   MAC      | IV and message  | the MAC       | -       | -   | -            | -
//   AEAD     | len, no tag     | len, no tag   | yes     | yes | out, or in   | -
//   akcipher | len             | out_len room  | verify  | -   | -            | -
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sealane/crypto/session.h"
#include "sealane/crypto/status.h"

namespace sealane::crypto {

class LaneSession;

// A piece of payload. It may be guest memory, which can change at any time: an engine takes no
// decision on its bytes.
struct Segment {
  uint8_t* data;
  size_t size;
};

// Part of a payload, bytes.
struct PayloadRange {
  uint32_t offset = 0;
  uint32_t len = 0;
  bool operator==(const PayloadRange&) const = default;
};

enum class AkcipherOp : uint8_t { kEncrypt, kDecrypt, kSign, kVerify };

struct Op {
  LaneSession* session = nullptr;  // of the lane that the op is submitted to
  // The payload in pieces. The lists may be the same memory, or overlap in part: the result is as
  // if the source had been read before anything was written.
  std::span<const Segment> src{};
  std::span<const Segment> dst{};
  uint64_t len = 0;                     // the source's total, bytes
  std::array<uint8_t, kMaxIvLen> iv{};  // the first iv_len bytes count
  uint32_t iv_len = 0;
  Status status = Status::kOk;  // set by the lane
  AkcipherOp akcipher_op = AkcipherOp::kEncrypt;
  // Of the destination, bytes. The total of dst; hash and MAC: the session's result_len; akcipher:
  // what there is room for, of which the lane sets how much it wrote.
  uint64_t out_len = 0;
  // Authenticated, not encrypted; a chain hashes it first. akcipher verify: the digest that was
  // signed, while src is the signature.
  std::span<const Segment> aad{};
  uint64_t aad_len = 0;
  // Chain: dst is src with the bytes of cipher_range encrypted or decrypted. The digest is that of
  // aad and the bytes of hash_range: in src if the session has hash_first, else in dst.
  PayloadRange cipher_range{};
  PayloadRange hash_range{};
  // The first result_len bytes count. AEAD decryption compares; if it differs the status is
  // kBadMessage and dst is zeroed.
  std::array<uint8_t, kMaxTagLen> tag{};
};

// What every engine asks of an op, whatever it offers, except that the lists have the totals that
// the op says (MeasurePayload in payload.h): lengths that the algorithm is defined for, ranges
// within the payload.
bool IsValidOp(const SessionInfo& info, const Op& op);

}  // namespace sealane::crypto
