// SPDX-License-Identifier: Apache-2.0
//
// OpenSslLaneSession: one cipher context with the key set, for one lane. An operation resets the IV
// and nothing else. Belongs to the lane's thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sealane/base/result.h"
#include "sealane/crypto/algorithm.h"
#include "sealane/crypto/lane.h"
#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/openssl/openssl_session.h"

namespace sealane::crypto {

class OpenSslLaneSession final : public LaneSession {
 public:
  static Result<std::unique_ptr<OpenSslLaneSession>> Create(
      std::shared_ptr<const OpenSslSession> session);

  CipherAlgorithm algorithm() const { return algorithm_; }

  // One whole operation. `len` is IsValidPayloadLen and not 0; `in` and `out` are the same or do
  // not overlap. False if OpenSSL fails; its error queue is empty in any case.
  bool Crypt(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in, uint8_t* out, size_t len);

 private:
  OpenSslLaneSession(std::shared_ptr<const OpenSslSession> session, EvpContextPtr context);
  bool CryptWithEvp(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in, uint8_t* out,
                    size_t len);

  const std::shared_ptr<const OpenSslSession> session_;
  const EvpContextPtr context_;
  // Copies of what every operation asks for, next to each other.
  const CipherAlgorithm algorithm_;
  const bool has_iv_;
};

}  // namespace sealane::crypto
