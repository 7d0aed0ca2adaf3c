// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_engine.h"

#include <openssl/crypto.h>

#include <cstdint>
#include <span>
#include <utility>

#include "sealane/crypto/openssl/openssl_lane.h"
#include "sealane/crypto/openssl/openssl_session.h"

namespace sealane::crypto {
namespace {

EngineCaps CapsOf(const CipherSet& ciphers) {
  EngineCaps caps{.name = "openssl", .ciphers = 0};
  for (size_t i = 0; i < kNumCipherAlgorithms; ++i) {
    if (ciphers.Offers(static_cast<CipherAlgorithm>(i))) caps.ciphers |= 1U << i;
  }
  return caps;
}

// In constant time, since the answer is about key bytes.
bool AreHalvesEqual(std::span<const uint8_t> key) {
  const size_t half = key.size() / 2;
  return CRYPTO_memcmp(key.data(), key.subspan(half).data(), half) == 0;
}

}  // namespace

OpenSslEngine::OpenSslEngine(CipherSet ciphers)
    : ciphers_(std::move(ciphers)), caps_(CapsOf(ciphers_)) {}

Result<std::unique_ptr<OpenSslEngine>> OpenSslEngine::Create() {
  SL_ASSIGN_OR_RETURN(CipherSet ciphers, CipherSet::Create());
  return std::unique_ptr<OpenSslEngine>(new OpenSslEngine(std::move(ciphers)));
}

std::expected<std::shared_ptr<const Session>, Status> OpenSslEngine::CreateSession(
    SessionParams params) {
  if (!ciphers_.Offers(params.algorithm)) return std::unexpected(Status::kNotSupported);
  // Null for a key of any other length than the cipher's.
  const evp_cipher_st* cipher = ciphers_.Find(params.algorithm, params.key.size());
  if (cipher == nullptr) return std::unexpected(Status::kError);
  if (params.algorithm == CipherAlgorithm::kAesXts && AreHalvesEqual(params.key.bytes())) {
    return std::unexpected(Status::kError);
  }
  return std::allocate_shared<const OpenSslSession>(PoolAllocator<OpenSslSession>(session_memory_),
                                                    std::move(params), cipher);
}

Result<std::unique_ptr<Lane>> OpenSslEngine::OpenLane(Waker& /*waker*/) {
  return std::make_unique<OpenSslLane>();
}

}  // namespace sealane::crypto
