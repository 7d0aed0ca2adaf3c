// SPDX-License-Identifier: Apache-2.0
//
// IpsecMbSession: AES round keys for both directions. Immutable, shared; the last reference wipes
// them. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sealane/crypto/ipsec_mb/mb_manager.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

class IpsecMbSession final : public Session {
 public:
  // Of a cipher. The manager is not used any more afterwards.
  IpsecMbSession(const SessionParams& params, IMB_MGR& manager);
  ~IpsecMbSession() override;

  const void* encryption_keys() const { return encryption_keys_.data(); }
  const void* decryption_keys() const { return decryption_keys_.data(); }

 private:
  static constexpr size_t kMaxRoundKeys = size_t{15} * 16;  // bytes, of AES-256
  alignas(16) std::array<uint8_t, kMaxRoundKeys> encryption_keys_{};
  alignas(16) std::array<uint8_t, kMaxRoundKeys> decryption_keys_{};
};

}  // namespace sealane::crypto
