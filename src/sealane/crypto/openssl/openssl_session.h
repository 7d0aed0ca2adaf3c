// SPDX-License-Identifier: Apache-2.0
//
// OpenSslSession: checked parameters, keys included, and what was fetched for them. Immutable,
// shared; the last reference wipes the keys. What was fetched belongs to the engine, which outlives
// its sessions. Any thread.
#pragma once

#include <utility>

#include "sealane/crypto/openssl/evp_handle.h"
#include "sealane/crypto/openssl/fetched_algorithms.h"
#include "sealane/crypto/session.h"

namespace sealane::crypto {

// Which of these there are depends on the kind of session.
struct SessionAlgorithms {
  const evp_cipher_st* cipher = nullptr;  // cipher, chain, AEAD
  const evp_md_st* digest = nullptr;      // hash, chain, RSA signatures
  FetchedMac mac{};                       // MAC, chain
};

class OpenSslSession final : public Session {
 public:
  OpenSslSession(SessionParams params, const SessionAlgorithms& algorithms)
      : Session(InfoOf(params)), algorithms_(algorithms), params_(std::move(params)) {}
  // Of an asymmetric one; the key has been parsed.
  OpenSslSession(SessionParams params, const SessionAlgorithms& algorithms, EvpKeyPtr key,
                 ossl_lib_ctx_st* library)
      : Session(InfoOf(params)),
        algorithms_(algorithms),
        params_(std::move(params)),
        key_(std::move(key)),
        library_(library) {}

  const SessionAlgorithms& algorithms() const { return algorithms_; }
  const SessionParams& params() const { return params_; }
  evp_pkey_st* key() const { return key_.get(); }
  ossl_lib_ctx_st* library() const { return library_; }

 private:
  const SessionAlgorithms algorithms_;
  const SessionParams params_;
  const EvpKeyPtr key_;
  ossl_lib_ctx_st* const library_ = nullptr;
};

}  // namespace sealane::crypto
