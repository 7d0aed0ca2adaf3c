// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/cipher_context.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <utility>

#include "sealane/crypto/openssl/des3_ctr.h"

namespace sealane::crypto {
namespace {

// Counter mode encrypts counters, whichever way the payload goes.
int DirectionOf(const CipherParams& params) {
  return params.direction == Direction::kEncrypt || params.algorithm == CipherAlgorithm::kDes3Ctr
             ? 1
             : 0;
}

// Padding goes in as a parameter: after EVP_CIPHER_CTX_set_padding, every later initialisation
// would set it again, which costs a short operation a quarter of its time.
bool SetKey(EVP_CIPHER_CTX* context, const EVP_CIPHER* cipher, const CipherParams& params) {
  unsigned int padding = 0;
  const std::array<OSSL_PARAM, 2> padding_off = {
      OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding), OSSL_PARAM_construct_end()};
  if (params.algorithm == CipherAlgorithm::kArc4) {
    size_t key_len = params.key.size();
    const std::array<OSSL_PARAM, 2> length = {
        OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &key_len),
        OSSL_PARAM_construct_end()};
    return EVP_CipherInit_ex2(context, cipher, nullptr, nullptr, 1, length.data()) == 1;
  }
  return EVP_CipherInit_ex2(context, cipher, params.key.bytes().data(), nullptr,
                            DirectionOf(params), padding_off.data()) == 1;
}

}  // namespace

CipherContext::CipherContext(const CipherParams& params, EvpContextPtr context)
    : params_(&params),
      context_(std::move(context)),
      algorithm_(params.algorithm),
      has_iv_(Traits(algorithm_).iv_len != 0) {}

Result<CipherContext> CipherContext::Create(const CipherParams& params,
                                            const evp_cipher_st* cipher) {
  EvpContextPtr context(EVP_CIPHER_CTX_new());
  if (!context || !SetKey(context.get(), cipher, params)) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OpenSSL made no cipher context"};
  }
  return CipherContext(params, std::move(context));
}

bool CipherContext::Crypt(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in, uint8_t* out,
                          size_t len) {
  if (algorithm_ == CipherAlgorithm::kDes3Ctr) {
    DesBlock counter;
    std::copy_n(iv.begin(), counter.size(), counter.begin());
    return CryptDes3Ctr(context_.get(), counter, in, out, len);
  }
  return CryptWithEvp(iv, in, out, len);
}

bool CipherContext::CryptWithEvp(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in,
                                 uint8_t* out, size_t len) {
  EVP_CIPHER_CTX* const context = context_.get();
  if (has_iv_) {
    if (EVP_CipherInit_ex2(context, nullptr, nullptr, iv.data(), -1, nullptr) != 1) return false;
  } else if (algorithm_ == CipherAlgorithm::kArc4) {
    // The key stream begins anew with the key.
    const uint8_t* const key = params_->key.bytes().data();
    if (EVP_CipherInit_ex2(context, nullptr, key, nullptr, -1, nullptr) != 1) return false;
  }
  // One call for the whole payload, which XTS needs; kMaxPayload fits an int.
  static_assert(kMaxPayload <= uint64_t{1} << 30);
  int written = 0;
  return EVP_CipherUpdate(context, out, &written, in, static_cast<int>(len)) == 1 &&
         written == static_cast<int>(len);
}

}  // namespace sealane::crypto
