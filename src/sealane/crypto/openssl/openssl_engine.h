// SPDX-License-Identifier: Apache-2.0
//
// OpenSslEngine: every service of algorithm.h by OpenSSL 3, finished on the calling thread.
// Sessions and lanes use what the engine owns, so it outlives them. Any thread, as Engine says.
//
// Edge rules, the same for every cipher:
//  * a key has exactly one of the cipher's lengths; any 24 bytes are a Triple DES key (NIST's own
//    vectors use equal parts), parity bits are ignored; the two halves of an XTS key differ
//    (FIPS 140-2 IG A.9), else kError;
//  * an empty payload is kOk and does nothing; a length that the cipher is not defined for, or that
//    is not the total of both segment lists, is kError, and nothing is written;
//  * a counter is the whole block, big-endian, and wraps to zero (128 bits for AES, 64 for Triple
//    DES), so every IV is good for every length;
//  * a digest or MAC shorter than the algorithm's is its beginning; every message, also an empty
//    one, has one, except that a plain CBC-MAC takes whole blocks and at least one;
//  * what does not authenticate is kBadMessage, and its destination is zeroed;
//  * any segmentation, in place, and partial overlap give the bytes that separate buffers would.
#pragma once

#include <memory>
#include <utility>

#include "sealane/base/block_pool.h"
#include "sealane/crypto/engine.h"
#include "sealane/crypto/openssl/fetched_algorithms.h"

namespace sealane::crypto {

class OpenSslEngine final : public Engine {
 public:
  struct Options {
    bool enable_legacy = false;  // DES and ARC4, from OpenSSL's legacy provider
    // RSA and ECDSA besides all else: for engines behind a queue, since these take long.
    bool enable_akcipher = false;
  };
  static Result<std::unique_ptr<OpenSslEngine>> Create(const Options& options);
  static Result<std::unique_ptr<OpenSslEngine>> Create() { return Create(Options{}); }

  const EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) override;
  Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) override;

 private:
  OpenSslEngine(FetchedAlgorithms fetched, const Options& options);
  std::expected<std::shared_ptr<const Session>, Status> CreateAkcipher(SessionParams params);

  const FetchedAlgorithms fetched_;
  EngineCaps caps_;
  BlockPool session_memory_;
};

}  // namespace sealane::crypto
