// SPDX-License-Identifier: Apache-2.0
//
// GmacContext: AES-GMAC (NIST SP 800-38D, 3): the tag of a GCM encryption of nothing, with the
// message as additional data. The message's first 12 bytes are the IV. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sealane/crypto/openssl/digest_context.h"

namespace sealane::crypto {

class GmacContext final : public DigestContext {
 public:
  static Result<std::unique_ptr<DigestContext>> Create(const MacParams& params,
                                                       const evp_cipher_st* gcm);

  bool Begin() override;
  bool Update(std::span<const uint8_t> bytes) override;
  bool Finish(std::span<uint8_t> result) override;

 private:
  explicit GmacContext(EvpContextPtr context) : context_(std::move(context)) {}

  static constexpr size_t kIvLen = 12;

  const EvpContextPtr context_;
  std::array<uint8_t, kIvLen> iv_{};
  size_t num_iv_ = 0;  // bytes of it that have come
};

}  // namespace sealane::crypto
