// SPDX-License-Identifier: Apache-2.0
//
// OpenSslSession: a checked key and the fetched cipher that goes with it. Immutable, shared; the
// last reference wipes the key. The cipher belongs to the engine, which outlives its sessions. Any
// thread.
#pragma once

#include <utility>

#include "sealane/base/secret.h"
#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

class OpenSslSession final : public Session {
 public:
  OpenSslSession(SessionParams params, const evp_cipher_st* cipher)
      : Session(params.algorithm, params.direction), cipher_(cipher), key_(std::move(params.key)) {}

  const evp_cipher_st* cipher() const { return cipher_; }
  const SecretBytes& key() const { return key_; }

 private:
  const evp_cipher_st* const cipher_;
  const SecretBytes key_;
};

}  // namespace sealane::crypto
