// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_engine.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "sealane/crypto/openssl/akcipher_key.h"
#include "sealane/crypto/openssl/openssl_lane.h"
#include "sealane/crypto/openssl/openssl_session.h"

namespace sealane::crypto {
namespace {

// What a session's parameters name. Nothing: something is not offered.
class Finder {
 public:
  explicit Finder(const FetchedAlgorithms& fetched) : fetched_(fetched) {}

  bool operator()(const CipherParams& params) {
    found.cipher = fetched_.Find(params.algorithm, params.key.size());
    return fetched_.caps().Offers(params.algorithm);
  }
  bool operator()(const HashParams& params) {
    found.digest = fetched_.Find(params.algorithm);
    return fetched_.caps().Offers(params.algorithm);
  }
  bool operator()(const MacParams& params) {
    found.mac = fetched_.Find(params.algorithm, params.key.size());
    return fetched_.caps().Offers(params.algorithm);
  }
  bool operator()(const ChainParams& params) {
    return (*this)(params.cipher) && std::visit(*this, params.hash);
  }
  bool operator()(const AeadParams& params) {
    found.cipher = fetched_.Find(params.algorithm, params.key.size());
    return fetched_.caps().Offers(params.algorithm);
  }
  bool operator()(const AkcipherParams& /*params*/) { return false; }

  SessionAlgorithms found;

 private:
  const FetchedAlgorithms& fetched_;
};

}  // namespace

Result<std::unique_ptr<OpenSslEngine>> OpenSslEngine::Create(const Options& options) {
  SL_ASSIGN_OR_RETURN(FetchedAlgorithms fetched, FetchedAlgorithms::Create(options.enable_legacy));
  return std::unique_ptr<OpenSslEngine>(new OpenSslEngine(std::move(fetched), options));
}

OpenSslEngine::OpenSslEngine(FetchedAlgorithms fetched, const Options& options)
    : fetched_(std::move(fetched)), caps_(fetched_.caps()) {
  if (options.enable_akcipher) {
    caps_.akciphers = {AkcipherAlgorithm::kRsa, AkcipherAlgorithm::kEcdsa};
  }
}

std::expected<std::shared_ptr<const Session>, Status> OpenSslEngine::CreateAkcipher(
    SessionParams params) {
  const auto& akcipher = std::get<AkcipherParams>(params);
  if (!caps_.Offers(akcipher.algorithm)) return std::unexpected(Status::kNotSupported);
  if (CheckParams(params) != Status::kOk) return std::unexpected(Status::kError);
  SessionAlgorithms found;
  if (akcipher.has_hash) {
    if (!caps_.Offers(akcipher.hash)) return std::unexpected(Status::kNotSupported);
    found.digest = fetched_.Find(akcipher.hash);
  }
  EvpKeyPtr key = ParseAkcipherKey(akcipher, fetched_.library());
  if (!key) return std::unexpected(Status::kError);
  return std::allocate_shared<const OpenSslSession>(PoolAllocator<OpenSslSession>(session_memory_),
                                                    std::move(params), found, std::move(key),
                                                    fetched_.library());
}

std::expected<std::shared_ptr<const Session>, Status> OpenSslEngine::CreateSession(
    SessionParams params) {
  if (std::holds_alternative<AkcipherParams>(params)) return CreateAkcipher(std::move(params));
  Finder finder(fetched_);
  if (!std::visit<bool>([&finder](const auto& kind) { return finder(kind); }, params)) {
    return std::unexpected(Status::kNotSupported);
  }
  if (CheckParams(params) != Status::kOk) return std::unexpected(Status::kError);
  return std::allocate_shared<const OpenSslSession>(PoolAllocator<OpenSslSession>(session_memory_),
                                                    std::move(params), finder.found);
}

Result<std::unique_ptr<Lane>> OpenSslEngine::OpenLane(Waker& /*waker*/) {
  return std::make_unique<OpenSslLane>();
}

}  // namespace sealane::crypto
