// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/digest_context.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sealane/base/secret.h"
#include "sealane/crypto/openssl/cbc_mac_context.h"
#include "sealane/crypto/openssl/gmac_context.h"

namespace sealane::crypto {
namespace {

Error NoContext() {
  ERR_clear_error();
  return {ErrorCode::kNoSpace, "OpenSSL made no digest or MAC context"};
}

class HashContext final : public DigestContext {
 public:
  HashContext(EvpDigestContextPtr context, const EVP_MD* digest, bool is_xof)
      : context_(std::move(context)), digest_(digest), is_xof_(is_xof) {}

  bool Begin() override { return EVP_DigestInit_ex2(context_.get(), digest_, nullptr) == 1; }
  bool Update(std::span<const uint8_t> bytes) override {
    return EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
  }
  bool Finish(std::span<uint8_t> result) override {
    if (is_xof_) return EVP_DigestFinalXOF(context_.get(), result.data(), result.size()) == 1;
    std::array<uint8_t, EVP_MAX_MD_SIZE> all;
    if (EVP_DigestFinal_ex(context_.get(), all.data(), nullptr) != 1) return false;
    std::copy_n(all.begin(), result.size(), result.begin());
    return true;
  }

 private:
  const EvpDigestContextPtr context_;
  const EVP_MD* const digest_;
  const bool is_xof_;
};

// HMAC and CMAC. Begin resets the message and keeps the key.
class EvpMacContext final : public DigestContext {
 public:
  explicit EvpMacContext(EvpMacContextPtr context) : context_(std::move(context)) {}

  bool Begin() override { return EVP_MAC_init(context_.get(), nullptr, 0, nullptr) == 1; }
  bool Update(std::span<const uint8_t> bytes) override {
    return EVP_MAC_update(context_.get(), bytes.data(), bytes.size()) == 1;
  }
  bool Finish(std::span<uint8_t> result) override {
    std::array<uint8_t, EVP_MAX_MD_SIZE> all;
    size_t len = 0;
    if (EVP_MAC_final(context_.get(), all.data(), &len, all.size()) != 1) return false;
    if (len < result.size()) return false;
    std::copy_n(all.begin(), result.size(), result.begin());
    return true;
  }

 private:
  const EvpMacContextPtr context_;
};

Result<std::unique_ptr<DigestContext>> MakeEvpMac(const MacParams& params, const FetchedMac& mac) {
  // EVP_MAC_CTX_new counts a reference, and OpenSSL's parameters are not const, but nothing
  // changes.
  EvpMacContextPtr context(EVP_MAC_CTX_new(const_cast<EVP_MAC*>(mac.mac)));
  const bool is_hmac = params.algorithm <= MacAlgorithm::kHmacSha512;
  const std::array<OSSL_PARAM, 2> which = {
      OSSL_PARAM_construct_utf8_string(is_hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER,
                                       const_cast<char*>(mac.mac_param), 0),
      OSSL_PARAM_construct_end()};
  const std::span<const uint8_t> key = params.key.bytes();
  if (!context || EVP_MAC_init(context.get(), key.data(), key.size(), which.data()) != 1) {
    return NoContext();
  }
  return std::make_unique<EvpMacContext>(std::move(context));
}

}  // namespace

Result<std::unique_ptr<DigestContext>> MakeHashContext(const HashParams& params,
                                                       const evp_md_st* digest) {
  EvpDigestContextPtr context(EVP_MD_CTX_new());
  if (!context) return NoContext();
  const bool is_xof = Traits(params.algorithm).digest_len == 0;
  return std::make_unique<HashContext>(std::move(context), digest, is_xof);
}

Result<std::unique_ptr<DigestContext>> MakeMacContext(const MacParams& params,
                                                      const FetchedMac& mac) {
  if (params.algorithm == MacAlgorithm::kGmacAes) return GmacContext::Create(params, mac.cipher);
  if (mac.cipher != nullptr) return CbcMacContext::Create(params, mac.cipher);
  return MakeEvpMac(params, mac);
}

}  // namespace sealane::crypto
