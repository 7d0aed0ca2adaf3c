// SPDX-License-Identifier: Apache-2.0
//
// The names of algorithms on the command line and in `sealane run`. Constant tables; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sealane::cli {

struct Cipher {
  std::string_view name;      // "aes-128-cbc"
  uint32_t algorithm = 0;     // VIRTIO_CRYPTO_CIPHER_*
  size_t key_len = 0;         // bytes
  size_t iv_len = 0;          // bytes; 0: takes none
  size_t unit_len = 1;        // a payload is a multiple of it
  size_t min_len = 1;         // bytes of the shortest payload that is not empty
  const char* evp_name = "";  // OpenSSL's; for 3des-ctr, which it lacks, the block cipher
};

std::span<const Cipher> Ciphers();

// Null if there is none of that name.
const Cipher* FindCipher(std::string_view name);

// "aes-128-ecb, aes-128-cbc, …"
std::string CipherList();

// Whether the name is one of those that `sealane run` knows, be it for another operation than
// encrypt and decrypt.
bool IsKnownAlgorithm(std::string_view name);

// What is wrong with a payload of `len` bytes, or nothing.
std::optional<std::string> CheckPayloadLen(const Cipher& cipher, size_t len);

}  // namespace sealane::cli
