// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/ipsec_mb/ipsec_mb_session.h"

#include <intel-ipsec-mb.h>

#include <variant>

#include "sealane/base/secret.h"

namespace sealane::crypto {

IpsecMbSession::IpsecMbSession(const SessionParams& params, IMB_MGR& manager)
    : Session(InfoOf(params)) {
  const uint8_t* const key = std::get<CipherParams>(params).key.bytes().data();
  switch (info().key_len) {
    case 16:
      manager.keyexp_128(key, encryption_keys_.data(), decryption_keys_.data());
      break;
    case 24:
      manager.keyexp_192(key, encryption_keys_.data(), decryption_keys_.data());
      break;
    default:
      manager.keyexp_256(key, encryption_keys_.data(), decryption_keys_.data());
      break;
  }
}

IpsecMbSession::~IpsecMbSession() {
  WipeBytes(encryption_keys_);
  WipeBytes(decryption_keys_);
}

}  // namespace sealane::crypto
