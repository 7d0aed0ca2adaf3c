// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_lane_session.h"

#include <utility>

#include "sealane/crypto/openssl/aead_lane_session.h"
#include "sealane/crypto/openssl/akcipher_lane_session.h"
#include "sealane/crypto/openssl/chain_lane_session.h"
#include "sealane/crypto/openssl/cipher_lane_session.h"
#include "sealane/crypto/openssl/digest_lane_session.h"

namespace sealane::crypto {

Result<std::unique_ptr<OpenSslLaneSession>> OpenSslLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  switch (session->info().kind) {
    case SessionKind::kCipher:
      return CipherLaneSession::Create(std::move(session));
    case SessionKind::kChain:
      return ChainLaneSession::Create(std::move(session));
    case SessionKind::kHash:
    case SessionKind::kMac:
      return DigestLaneSession::Create(std::move(session));
    case SessionKind::kAead:
      return AeadLaneSession::Create(std::move(session));
    case SessionKind::kAkcipher:
      return AkcipherLaneSession::Create(std::move(session));
  }
  return Error{ErrorCode::kUnsupported, "no lane of this engine runs such sessions"};
}

}  // namespace sealane::crypto
