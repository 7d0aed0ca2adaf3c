// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/cbc_mac_context.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <utility>

#include "sealane/base/secret.h"

namespace sealane::crypto {
namespace {

constexpr std::array<uint8_t, 16> kZeroIv{};

bool SetKey(EVP_CIPHER_CTX* context, const EVP_CIPHER* cbc, std::span<const uint8_t> key) {
  unsigned int padding = 0;
  const std::array<OSSL_PARAM, 2> params = {
      OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding), OSSL_PARAM_construct_end()};
  return EVP_CipherInit_ex2(context, cbc, key.data(), kZeroIv.data(), 1, params.data()) == 1;
}

}  // namespace

CbcMacContext::CbcMacContext(EvpContextPtr context, bool is_xcbc)
    : context_(std::move(context)), is_xcbc_(is_xcbc) {}

CbcMacContext::~CbcMacContext() {
  for (Block* const secret : {&whole_key_, &partial_key_, &chain_, &pending_}) WipeBytes(*secret);
}

Result<std::unique_ptr<DigestContext>> CbcMacContext::Create(const MacParams& params,
                                                             const evp_cipher_st* cbc) {
  EvpContextPtr context(EVP_CIPHER_CTX_new());
  const bool has_key = context && SetKey(context.get(), cbc, params.key.bytes());
  std::unique_ptr<CbcMacContext> made(
      new CbcMacContext(std::move(context), params.algorithm == MacAlgorithm::kXcbcAes));
  if (!has_key || (made->is_xcbc_ && !made->DeriveKeys(cbc))) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OpenSSL made no MAC context"};
  }
  return made;
}

// With a zero IV the first block of a CBC encryption is the block cipher alone.
bool CbcMacContext::DeriveKeys(const evp_cipher_st* cbc) {
  Block first_key;
  const std::array<Block*, 3> keys = {&first_key, &whole_key_, &partial_key_};
  bool ok = true;
  for (size_t i = 0; i < keys.size(); ++i) {
    Block constant;
    constant.fill(static_cast<uint8_t>(i + 1));
    ok = ok && Begin() && Absorb(constant);
    *keys[i] = chain_;
  }
  ok = ok && SetKey(context_.get(), cbc, first_key);
  WipeBytes(first_key);
  return ok;
}

bool CbcMacContext::Begin() {
  num_pending_ = 0;
  chain_.fill(0);
  return EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, kZeroIv.data(), -1, nullptr) == 1;
}

bool CbcMacContext::Absorb(std::span<const uint8_t> blocks) {
  alignas(64) std::array<uint8_t, 1024> scratch;
  bool ok = true;
  while (ok && !blocks.empty()) {
    const size_t len = std::min(blocks.size(), scratch.size());
    int written = 0;
    ok = EVP_CipherUpdate(context_.get(), scratch.data(), &written, blocks.data(),
                          static_cast<int>(len)) == 1 &&
         written == static_cast<int>(len);
    std::copy_n(scratch.begin() + static_cast<std::ptrdiff_t>(len - kBlockLen), kBlockLen,
                chain_.begin());
    blocks = blocks.subspan(len);
  }
  return ok;
}

bool CbcMacContext::Update(std::span<const uint8_t> bytes) {
  if (bytes.empty()) return true;
  const size_t filled = std::min(bytes.size(), kBlockLen - num_pending_);
  std::copy_n(bytes.begin(), filled, pending_.begin() + static_cast<std::ptrdiff_t>(num_pending_));
  num_pending_ += filled;
  bytes = bytes.subspan(filled);
  if (bytes.empty()) return true;
  if (!Absorb(pending_)) return false;
  // All whole blocks but the last.
  const size_t absorbed = (bytes.size() - 1) / kBlockLen * kBlockLen;
  if (!Absorb(bytes.first(absorbed))) return false;
  num_pending_ = bytes.size() - absorbed;
  std::ranges::copy(bytes.subspan(absorbed), pending_.begin());
  return true;
}

bool CbcMacContext::Finish(std::span<uint8_t> result) {
  if (is_xcbc_) {
    const Block& key = num_pending_ == kBlockLen ? whole_key_ : partial_key_;
    if (num_pending_ != kBlockLen) {
      pending_[num_pending_] = 0x80;
      std::fill(pending_.begin() + static_cast<std::ptrdiff_t>(num_pending_) + 1, pending_.end(),
                uint8_t{0});
    }
    for (size_t i = 0; i < kBlockLen; ++i) pending_[i] ^= key[i];
  } else if (num_pending_ != kBlockLen) {
    return false;
  }
  if (!Absorb(pending_)) return false;
  std::copy_n(chain_.begin(), result.size(), result.begin());
  return true;
}

}  // namespace sealane::crypto
