// SPDX-License-Identifier: Apache-2.0
#include "reference_cipher.h"

#include <openssl/evp.h>

#include <memory>

#include "sealane/base/check.h"

namespace sealane::testing {

std::vector<uint8_t> OpensslCipher(const std::string& name, bool encrypt,
                                   std::span<const uint8_t> key, std::span<const uint8_t> iv,
                                   std::span<const uint8_t> in) {
  const std::unique_ptr<EVP_CIPHER, decltype(&EVP_CIPHER_free)> cipher(
      EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr), EVP_CIPHER_free);
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
      EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  SL_CHECK(cipher && context);
  SL_CHECK(EVP_CipherInit_ex2(context.get(), cipher.get(), key.data(), iv.data(), encrypt ? 1 : 0,
                              nullptr) == 1);
  SL_CHECK(EVP_CIPHER_CTX_set_padding(context.get(), 0) == 1);
  std::vector<uint8_t> out(in.size());
  int len = 0;
  if (in.empty()) return out;
  SL_CHECK(EVP_CipherUpdate(context.get(), out.data(), &len, in.data(),
                            static_cast<int>(in.size())) == 1);
  SL_CHECK(static_cast<size_t>(len) == in.size());
  return out;
}

}  // namespace sealane::testing
