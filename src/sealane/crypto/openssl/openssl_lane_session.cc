// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_lane_session.h"

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
bool UsesEncryption(const Session& session) {
  return session.direction() == Direction::kEncrypt ||
         session.algorithm() == CipherAlgorithm::kDes3Ctr;
}

// Padding goes in as a parameter: after EVP_CIPHER_CTX_set_padding, every later initialisation
// would set it again, which costs a short operation a quarter of its time.
bool SetKey(EVP_CIPHER_CTX* context, const OpenSslSession& session) {
  unsigned int padding = 0;
  const std::array<OSSL_PARAM, 2> params = {
      OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding), OSSL_PARAM_construct_end()};
  return EVP_CipherInit_ex2(context, session.cipher(), session.key().bytes().data(), nullptr,
                            UsesEncryption(session) ? 1 : 0, params.data()) == 1;
}

}  // namespace

OpenSslLaneSession::OpenSslLaneSession(std::shared_ptr<const OpenSslSession> session,
                                       EvpContextPtr context)
    : session_(std::move(session)),
      context_(std::move(context)),
      algorithm_(session_->algorithm()),
      has_iv_(Traits(algorithm_).iv_len != 0) {}

Result<std::unique_ptr<OpenSslLaneSession>> OpenSslLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  EvpContextPtr context(EVP_CIPHER_CTX_new());
  if (!context || !SetKey(context.get(), *session)) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OpenSSL made no cipher context"};
  }
  return std::unique_ptr<OpenSslLaneSession>(
      new OpenSslLaneSession(std::move(session), std::move(context)));
}

bool OpenSslLaneSession::Crypt(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in,
                               uint8_t* out, size_t len) {
  bool ok = false;
  if (algorithm_ == CipherAlgorithm::kDes3Ctr) {
    DesBlock counter;
    std::copy_n(iv.begin(), counter.size(), counter.begin());
    ok = CryptDes3Ctr(context_.get(), counter, in, out, len);
  } else {
    ok = CryptWithEvp(iv, in, out, len);
  }
  if (!ok) [[unlikely]] {
    ERR_clear_error();
  }
  return ok;
}

bool OpenSslLaneSession::CryptWithEvp(const std::array<uint8_t, kMaxIvLen>& iv, const uint8_t* in,
                                      uint8_t* out, size_t len) {
  if (has_iv_ && EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, iv.data(), -1, nullptr) != 1)
    return false;
  // One call for the whole payload, which XTS needs; kMaxPayload fits an int.
  static_assert(kMaxPayload <= uint64_t{1} << 30);
  int written = 0;
  return EVP_CipherUpdate(context_.get(), out, &written, in, static_cast<int>(len)) == 1 &&
         written == static_cast<int>(len);
}

}  // namespace sealane::crypto
