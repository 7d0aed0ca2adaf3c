// SPDX-License-Identifier: Apache-2.0
//
// One known answer of a cipher, as the vector readers produce it and the vector tests run it. Plain
// values, owned by whoever holds them; no threading rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sealane::testing {

using Bytes = std::vector<uint8_t>;

struct CipherVector {
  std::string
      algorithm;  // as on the command line of `sealane`: "aes-128-cbc", "aes-256-xts", "3des-ecb"
  Bytes key;
  Bytes iv;  // empty for ECB; the first counter block for CTR; the tweak for XTS
  Bytes plaintext;
  Bytes ciphertext;
  bool encrypt = true;  // the source vouches for plaintext → ciphertext
  bool decrypt = true;  // the source vouches for ciphertext → plaintext
  std::string
      origin;  // "file:line" of the record, with a remark where one record gives several vectors
};

// What a file contained. Whatever was understood but not turned into a vector is counted by its
// reason, so that a test can assert that nothing disappeared.
struct VectorFile {
  std::vector<CipherVector> vectors;
  std::map<std::string, size_t> skipped;
};

// The error is a sentence that starts with "file:line: ". The first one ends the reading.
using VectorResult = std::expected<VectorFile, std::string>;

// The algorithm's name from its family ("aes", "3des"), its mode in lower case and the key's length
// in bytes; nothing if there is no such algorithm here. XTS keys count twice: 32 bytes are
// "aes-128-xts".
std::optional<std::string> CipherName(std::string_view family, std::string_view mode,
                                      size_t key_len);

// A 24-byte DES-EDE3 key from one, two or three 8-byte keys (SP 800-67, keying options 3, 2 and 1):
// the missing ones repeat. Nothing for any other length.
std::optional<Bytes> ExpandTripleDesKey(const Bytes& key);

// Nothing if the lengths of `vector` suit its algorithm, else the rule that they break.
std::optional<std::string> CheckCipherVector(const CipherVector& vector);

// XTS with both halves of the key equal: SP 800-38E and OpenSSL forbid it, IEEE 1619 has a vector
// for it.
bool HasEqualXtsHalves(const CipherVector& vector);

// The whole file as text, or why it cannot be read.
std::expected<std::string, std::string> ReadVectorText(const std::string& path);

}  // namespace sealane::testing
