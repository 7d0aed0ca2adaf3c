// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/session.h"

#include <span>

namespace sealane::crypto {
namespace {

uint32_t LengthOf(const SecretBytes& key) { return static_cast<uint32_t>(key.size()); }

struct InfoMaker {
  SessionInfo operator()(const CipherParams& params) const {
    return {.kind = SessionKind::kCipher,
            .direction = params.direction,
            .cipher = params.algorithm,
            .key_len = LengthOf(params.key)};
  }
  SessionInfo operator()(const HashParams& params) const {
    return {.kind = SessionKind::kHash, .hash = params.algorithm, .result_len = params.result_len};
  }
  SessionInfo operator()(const MacParams& params) const {
    return {.kind = SessionKind::kMac,
            .mac = params.algorithm,
            .auth_key_len = LengthOf(params.key),
            .result_len = params.result_len};
  }
  SessionInfo operator()(const ChainParams& params) const {
    SessionInfo info = std::visit(InfoMaker{}, params.hash);
    info.has_mac = info.kind == SessionKind::kMac;
    info.kind = SessionKind::kChain;
    info.direction = params.cipher.direction;
    info.cipher = params.cipher.algorithm;
    info.key_len = LengthOf(params.cipher.key);
    info.hash_first = params.hash_first;
    return info;
  }
  SessionInfo operator()(const AeadParams& params) const {
    return {.kind = SessionKind::kAead,
            .direction = params.direction,
            .aead = params.algorithm,
            .key_len = LengthOf(params.key),
            .result_len = params.tag_len};
  }
  SessionInfo operator()(const AkcipherParams& params) const {
    return {.kind = SessionKind::kAkcipher,
            .akcipher = params.algorithm,
            .is_private = params.is_private,
            .key_len = LengthOf(params.key)};
  }
};

// In constant time, since the answer is about key bytes.
bool AreHalvesEqual(std::span<const uint8_t> key) {
  const size_t half = key.size() / 2;
  unsigned difference = 0;
  for (size_t i = 0; i < half; ++i) difference |= unsigned{key[i]} ^ key[half + i];
  return difference == 0;
}

struct Checker {
  bool operator()(const CipherParams& params) const {
    if (!IsValidKeyLen(params.algorithm, params.key.size())) return false;
    return params.algorithm != CipherAlgorithm::kAesXts || !AreHalvesEqual(params.key.bytes());
  }
  bool operator()(const HashParams& params) const {
    return IsValidResultLen(params.algorithm, params.result_len);
  }
  bool operator()(const MacParams& params) const {
    return IsValidKeyLen(params.algorithm, params.key.size()) &&
           IsValidResultLen(params.algorithm, params.result_len);
  }
  bool operator()(const ChainParams& params) const {
    const auto* mac = std::get_if<MacParams>(&params.hash);
    if (mac != nullptr && Traits(mac->algorithm).iv_len != 0) return false;
    const auto* hash = std::get_if<HashParams>(&params.hash);
    if (hash != nullptr && hash->result_len > kMaxTagLen) return false;
    return (*this)(params.cipher) && std::visit(*this, params.hash);
  }
  bool operator()(const AeadParams& params) const {
    return IsValidKeyLen(params.algorithm, params.key.size()) &&
           IsValidResultLen(params.algorithm, params.tag_len);
  }
  bool operator()(const AkcipherParams& params) const {
    return params.key.size() != 0 && params.key.size() <= kMaxAkcipherKeyLen;
  }
};

}  // namespace

SessionInfo InfoOf(const SessionParams& params) { return std::visit(InfoMaker{}, params); }

Status CheckParams(const SessionParams& params) {
  return std::visit(Checker{}, params) ? Status::kOk : Status::kError;
}

}  // namespace sealane::crypto
