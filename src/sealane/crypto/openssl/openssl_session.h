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
  const evp_md_st* digest = nullptr;      // hash, chain
  FetchedMac mac{};                       // MAC, chain
};

class OpenSslSession final : public Session {
 public:
  OpenSslSession(SessionParams params, const SessionAlgorithms& algorithms)
      : Session(InfoOf(params)), algorithms_(algorithms), params_(std::move(params)) {}

  const SessionAlgorithms& algorithms() const { return algorithms_; }
  const SessionParams& params() const { return params_; }

 private:
  const SessionAlgorithms algorithms_;
  const SessionParams params_;
};

}  // namespace sealane::crypto
