// SPDX-License-Identifier: Apache-2.0
#include "evp_baseline.h"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <array>
#include <utility>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::cli {
namespace {

constexpr size_t kDesBlockLen = 8;

void StoreBigEndian(uint64_t value, std::span<uint8_t> out) {
  for (size_t i = 0; i < kDesBlockLen; ++i) {
    out[i] = static_cast<uint8_t>(value >> (8 * (kDesBlockLen - 1 - i)));
  }
}

}  // namespace

EvpBaseline::EvpBaseline(const Cipher& cipher)
    : cipher_(EVP_CIPHER_fetch(nullptr, cipher.evp_name, nullptr)),
      context_(EVP_CIPHER_CTX_new()),
      triple_des_ctr_(cipher.algorithm == wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR),
      has_iv_(cipher.iv_len != 0 && !triple_des_ctr_) {}

// Padding goes in as a parameter: after EVP_CIPHER_CTX_set_padding, OpenSSL 3.0 sets it again at
// every reset of the IV, which costs more than the reset.
CommandResult<EvpBaseline> EvpBaseline::Create(const Cipher& cipher, std::span<const uint8_t> key) {
  EvpBaseline baseline(cipher);
  unsigned int padding = 0;
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &padding), OSSL_PARAM_construct_end()};
  const bool ready = baseline.cipher_ != nullptr && baseline.context_ != nullptr &&
                     EVP_EncryptInit_ex2(baseline.context_.get(), baseline.cipher_.get(),
                                         key.data(), nullptr, parameters.data()) == 1;
  if (!ready) return Failed(fmt::format("OpenSSL does not offer {}", cipher.evp_name));
  return baseline;
}

bool EvpBaseline::Encrypt(std::span<const uint8_t> iv, std::span<uint8_t> data) {
  if (triple_des_ctr_) return EncryptTripleDesCtr(iv, data);
  EVP_CIPHER_CTX* const context = context_.get();
  if (has_iv_ && EVP_EncryptInit_ex2(context, nullptr, nullptr, iv.data(), nullptr) != 1) {
    return false;
  }
  int len = 0;
  return EVP_EncryptUpdate(context, data.data(), &len, data.data(),
                           static_cast<int>(data.size())) == 1 &&
         len == static_cast<int>(data.size());
}

// SP 800-38A, 6.5: all counters are enciphered in one call and added to the data.
bool EvpBaseline::EncryptTripleDesCtr(std::span<const uint8_t> iv, std::span<uint8_t> data) {
  const size_t num_blocks = (data.size() + kDesBlockLen - 1) / kDesBlockLen;
  key_stream_.resize(num_blocks * kDesBlockLen);
  uint64_t counter = 0;
  for (const uint8_t byte : iv) counter = counter << 8 | byte;
  for (size_t block = 0; block < num_blocks; ++block) {
    StoreBigEndian(counter + block, std::span(key_stream_).subspan(block * kDesBlockLen));
  }
  int len = 0;
  if (EVP_EncryptUpdate(context_.get(), key_stream_.data(), &len, key_stream_.data(),
                        static_cast<int>(key_stream_.size())) != 1) {
    return false;
  }
  for (size_t i = 0; i < data.size(); ++i) data[i] ^= key_stream_[i];
  return true;
}

}  // namespace sealane::cli
