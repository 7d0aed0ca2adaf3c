// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/gmac_context.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <utility>

namespace sealane::crypto {

Result<std::unique_ptr<DigestContext>> GmacContext::Create(const MacParams& params,
                                                           const evp_cipher_st* gcm) {
  EvpContextPtr context(EVP_CIPHER_CTX_new());
  if (!context ||
      EVP_CipherInit_ex2(context.get(), gcm, params.key.bytes().data(), nullptr, 1, nullptr) != 1) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OpenSSL made no MAC context"};
  }
  return std::unique_ptr<DigestContext>(new GmacContext(std::move(context)));
}

bool GmacContext::Begin() {
  num_iv_ = 0;
  return true;
}

bool GmacContext::Update(std::span<const uint8_t> bytes) {
  if (num_iv_ < kIvLen) {
    const size_t taken = std::min(bytes.size(), kIvLen - num_iv_);
    std::copy_n(bytes.begin(), taken, iv_.begin() + static_cast<std::ptrdiff_t>(num_iv_));
    num_iv_ += taken;
    bytes = bytes.subspan(taken);
    if (num_iv_ == kIvLen &&
        EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, iv_.data(), -1, nullptr) != 1) {
      return false;
    }
  }
  if (bytes.empty()) return true;
  int written = 0;
  return EVP_CipherUpdate(context_.get(), nullptr, &written, bytes.data(),
                          static_cast<int>(bytes.size())) == 1;
}

bool GmacContext::Finish(std::span<uint8_t> result) {
  if (num_iv_ != kIvLen) return false;
  std::array<uint8_t, 16> tag;
  int written = 0;
  if (EVP_CipherFinal_ex(context_.get(), tag.data(), &written) != 1 ||
      EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag.size()),
                          tag.data()) != 1) {
    return false;
  }
  std::copy_n(tag.begin(), result.size(), result.begin());
  return true;
}

}  // namespace sealane::crypto
