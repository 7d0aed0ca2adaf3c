// SPDX-License-Identifier: Apache-2.0
//
// DigestContext: a hash, or a MAC with its key set, over one message at a time. One thread. Where
// OpenSSL fails a call says false and leaves its error in the queue; Begin starts afresh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sealane/base/result.h"
#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/openssl/fetched_algorithms.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

class DigestContext {
 public:
  virtual ~DigestContext() = default;

  virtual bool Begin() = 0;
  // The message, in pieces of any size. A MAC that takes an IV finds it at the front.
  virtual bool Update(std::span<const uint8_t> bytes) = 0;
  // The first bytes of the digest or MAC; as many as the session's result_len says, of a SHAKE.
  virtual bool Finish(std::span<uint8_t> result) = 0;
};

// Fail if memory runs out.
Result<std::unique_ptr<DigestContext>> MakeHashContext(const HashParams& params,
                                                       const evp_md_st* digest);
Result<std::unique_ptr<DigestContext>> MakeMacContext(const MacParams& params,
                                                      const FetchedMac& mac);

}  // namespace sealane::crypto
