// SPDX-License-Identifier: Apache-2.0
#include "bench_cipher.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

namespace sealane::cli {
namespace {

constexpr std::array<uint8_t, 16> kIv = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

}  // namespace

CommandResult<BenchCipher> BenchCipher::Create(const BenchAlgorithm& algorithm,
                                               Direction direction) {
  std::array<uint8_t, 64> key{};  // no secret; the halves of an XTS key differ
  std::iota(key.begin(), key.end(), uint8_t{0});
  BenchCipher made;
  made.cipher_.reset(EVP_CIPHER_fetch(nullptr, algorithm.evp_name, nullptr));
  made.context_.reset(EVP_CIPHER_CTX_new());
  const int encrypts = direction == Direction::kEncrypt ? 1 : 0;
  if (!made.cipher_ || !made.context_ ||
      EVP_CipherInit_ex2(made.context_.get(), made.cipher_.get(), key.data(), kIv.data(), encrypts,
                         nullptr) != 1 ||
      EVP_CIPHER_CTX_set_padding(made.context_.get(), 0) != 1) {
    return Failed(fmt::format("OpenSSL has no {}", algorithm.evp_name));
  }
  return made;
}

bool BenchCipher::Crypt(std::span<const uint8_t> in, std::span<uint8_t> out) {
  int len = 0;
  return EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, kIv.data(), -1, nullptr) == 1 &&
         EVP_CipherUpdate(context_.get(), out.data(), &len, in.data(),
                          static_cast<int>(in.size())) == 1 &&
         static_cast<size_t>(len) == in.size();
}

}  // namespace sealane::cli
