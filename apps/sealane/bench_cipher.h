// SPDX-License-Identifier: Apache-2.0
//
// BenchCipher: AES in one direction for `sealane bench engine`, by OpenSSL's EVP: the cipher and
// its key set once, only the IV for each call. One thread at a time.
#pragma once

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "command_result.h"

namespace sealane::cli {

enum class Direction : uint8_t { kEncrypt, kDecrypt };

struct BenchAlgorithm {
  std::string_view name;  // as `cryptsetup benchmark` has it
  size_t key_bits = 0;
  const char* evp_name = "";
};
// In cryptsetup's order.
inline constexpr BenchAlgorithm kBenchAlgorithms[] = {{"aes-cbc", 128, "AES-128-CBC"},
                                                      {"aes-cbc", 256, "AES-256-CBC"},
                                                      {"aes-xts", 256, "AES-128-XTS"},
                                                      {"aes-xts", 512, "AES-256-XTS"}};

class BenchCipher {
 public:
  // Always with the same key and IV of the algorithm's.
  static CommandResult<BenchCipher> Create(const BenchAlgorithm& algorithm, Direction direction);

  // As many bytes as `in` has, a multiple of the block. Whether OpenSSL did it.
  [[nodiscard]] bool Crypt(std::span<const uint8_t> in, std::span<uint8_t> out);

 private:
  struct Deleter {
    void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };
  BenchCipher() = default;

  std::unique_ptr<EVP_CIPHER, Deleter> cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, Deleter> context_;
};

}  // namespace sealane::cli
