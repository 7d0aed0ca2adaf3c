// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/cipher_vector.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace sealane::testing {
namespace {

constexpr size_t kDesKeyLen = 8;
constexpr size_t kDesBlockLen = 8;
constexpr size_t kAesBlockLen = 16;

bool IsTripleDes(const CipherVector& vector) { return vector.algorithm.starts_with("3des-"); }

bool HasMode(const CipherVector& vector, std::string_view mode) {
  return vector.algorithm.ends_with(mode);
}

}  // namespace

std::optional<std::string> CipherName(std::string_view family, std::string_view mode,
                                      size_t key_len) {
  const auto aes_name = [&](size_t num_bits) {
    return std::string("aes-").append(std::to_string(num_bits)).append("-").append(mode);
  };
  const bool is_block_mode = mode == "ecb" || mode == "cbc" || mode == "ctr";
  if (family == "3des") {
    if (!is_block_mode || key_len != 3 * kDesKeyLen) return std::nullopt;
    return std::string("3des-").append(mode);
  }
  if (family != "aes") return std::nullopt;
  if (mode == "xts") {
    if (key_len != 32 && key_len != 64) return std::nullopt;
    return aes_name(key_len * 4);
  }
  if (!is_block_mode || (key_len != 16 && key_len != 24 && key_len != 32)) return std::nullopt;
  return aes_name(key_len * 8);
}

std::optional<Bytes> ExpandTripleDesKey(const Bytes& key) {
  const size_t num_keys = key.size() / kDesKeyLen;
  if (key.size() % kDesKeyLen != 0 || num_keys < 1 || num_keys > 3) return std::nullopt;
  Bytes expanded = key;
  // One key: K1 K1 K1. Two keys: K1 K2 K1. The source index never leaves the keys given.
  while (expanded.size() < 3 * kDesKeyLen) {
    const size_t source = expanded.size() % (num_keys * kDesKeyLen);
    expanded.push_back(expanded[source]);
  }
  return expanded;
}

std::optional<std::string> CheckCipherVector(const CipherVector& vector) {
  if (vector.plaintext.size() != vector.ciphertext.size()) {
    return "plaintext and ciphertext differ in length";
  }
  if (vector.plaintext.empty()) return "no data";
  const size_t block_len = IsTripleDes(vector) ? kDesBlockLen : kAesBlockLen;
  const size_t iv_len = HasMode(vector, "-ecb") ? 0 : block_len;
  if (vector.iv.size() != iv_len) return "the IV has the wrong length";
  const bool whole_blocks = HasMode(vector, "-ecb") || HasMode(vector, "-cbc");
  if (whole_blocks && vector.plaintext.size() % block_len != 0) {
    return "the data are not whole blocks";
  }
  if (HasMode(vector, "-xts") && vector.plaintext.size() < block_len) {
    return "the data are shorter than a block";
  }
  return std::nullopt;
}

bool HasEqualXtsHalves(const CipherVector& vector) {
  if (!HasMode(vector, "-xts")) return false;
  const auto middle = vector.key.begin() + static_cast<std::ptrdiff_t>(vector.key.size() / 2);
  return std::equal(vector.key.begin(), middle, middle, vector.key.end());
}

std::expected<std::string, std::string> ReadVectorText(const std::string& path) {
  const std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) return std::unexpected(path + ": cannot be read");
  return text.str();
}

}  // namespace sealane::testing
