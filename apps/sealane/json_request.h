// SPDX-License-Identifier: Apache-2.0
//
// One line of `sealane run` as a request, and the lines that answer it. Pure functions.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cipher_names.h"
#include "sealane/base/secret.h"
#include "sealane/driver/session.h"
#include "sealane/driver/status.h"
#include "service_names.h"

namespace sealane::cli {

struct JsonRequest {
  std::string id = "null";  // as JSON
  // One of these; neither: well-formed, but not offered, and the rest is not filled.
  const Cipher* cipher = nullptr;
  const ServiceAlgorithm* service = nullptr;
  driver::Operation operation = driver::Operation::kEncrypt;
  SecretBytes key;
  std::vector<uint8_t> iv;
  std::vector<uint8_t> in;
  std::vector<uint8_t> aad;
  std::vector<uint8_t> tag;  // AEAD: what decryption compares with
  uint32_t result_len = 0;   // bytes of digest, MAC or tag
  // RSA and ECDSA. Verification has the signature in `in` and the digest in `aad`.
  bool is_private = false;
  uint32_t padding_or_curve = 0;
  uint32_t hash = 0;  // VIRTIO_CRYPTO_RSA_*
};

// What is wrong with a line.
struct JsonFault {
  std::string id = "null";           // as JSON
  std::optional<std::string> field;  // nothing: the line as a whole
  std::string message;
};

// Every key must be known and of its type, given once, and one that the operation has.
std::expected<JsonRequest, JsonFault> ParseRequest(const std::string& line);

// The answers, each with its line feed.
std::string OkLine(std::string_view id, std::span<const uint8_t> out);
std::string SealedLine(std::string_view id, std::span<const uint8_t> out,
                       std::span<const uint8_t> tag);
std::string StatusLine(std::string_view id, driver::Status status);
std::string FaultLine(const JsonFault& fault);

}  // namespace sealane::cli
