// SPDX-License-Identifier: Apache-2.0
#include "json_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "json_fields.h"
#include "sealane/base/hex.h"

namespace sealane::cli {
namespace {

using nlohmann::json;

constexpr size_t kMaxQuoted = 40;

// Those that encrypt and decrypt with a plain cipher have, then those of other operations.
constexpr std::array<std::string_view, 6> kCipherKeys = {"id", "op", "algo", "key", "iv", "in"};
constexpr std::array<std::string_view, 7> kOtherKeys = {"aad",     "tag",  "tag_len", "out_len",
                                                        "padding", "hash", "sig"};
constexpr std::array<std::string_view, 2> kNumberKeys = {"tag_len", "out_len"};
constexpr std::array<std::string_view, 4> kOtherOperations = {"digest", "mac", "sign", "verify"};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string Dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Reads the fields of one line in a fixed order; the first fault counts.
class RequestReader {
 public:
  explicit RequestReader(const std::string& line) : fields_(line) {}

  std::expected<JsonRequest, JsonFault> Read() {
    ReadId();
    if (fields_.fault()) Complain(fields_.fault()->field, fields_.fault()->message);
    CheckKeysAndTypes();
    const std::string op = ReadText("op");
    const std::string algo = ReadText("algo");
    if (!fault_) CheckNames(op, algo);
    if (!fault_ && request_.cipher != nullptr) ReadCipherFields();
    if (fault_) return std::unexpected(std::move(*fault_));
    return std::move(request_);
  }

 private:
  void Complain(std::optional<std::string> field, std::string message) {
    if (fault_) return;
    fault_ = JsonFault{request_.id, std::move(field), std::move(message)};
  }

  void ReadId() {
    const json* const id = fields_.Find("id");
    if (id != nullptr) request_.id = Dump(*id);
  }

  void CheckKeysAndTypes() {
    for (const auto& [name, value] : fields_.all()) {
      if (!Contains(kCipherKeys, name) && !Contains(kOtherKeys, name)) {
        Complain(name, "unknown key");
      }
      const bool number = Contains(kNumberKeys, name);
      if (number && !value.is_number_unsigned()) Complain(name, "not a whole number");
      if (!number && name != "id" && !value.is_string()) Complain(name, "not a string");
    }
  }

  std::string ReadText(const char* name) {
    const json* const value = fields_.Find(name);
    if (value == nullptr) Complain(name, "missing");
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

  // Leaves the cipher unset where the words are right but nothing here does that.
  void CheckNames(const std::string& op, const std::string& algo) {
    const bool encrypt = op == "encrypt";
    const bool cipher_op = encrypt || op == "decrypt";
    if (!cipher_op && !Contains(kOtherOperations, op)) {
      return Complain("op", "no such operation: " + op.substr(0, kMaxQuoted));
    }
    if (!IsKnownAlgorithm(algo)) {
      return Complain("algo", "no such algorithm: " + algo.substr(0, kMaxQuoted));
    }
    if (!cipher_op) return;
    request_.operation = encrypt ? driver::Operation::kEncrypt : driver::Operation::kDecrypt;
    request_.cipher = FindCipher(algo);
  }

  std::vector<uint8_t> ReadHex(const char* name) {
    const json* const value = fields_.Find(name);
    if (value == nullptr || fault_) return {};
    auto bytes = HexDecode(value->get_ref<const std::string&>());
    if (!bytes) Complain(name, "not hexadecimal");
    return std::move(bytes).value_or(std::vector<uint8_t>());
  }

  void CheckLen(const char* name, size_t len, size_t wanted) {
    if (len == wanted) return;
    Complain(name, fmt::format("{} takes {} bytes, not {}", request_.cipher->name, wanted, len));
  }

  void ReadCipherFields() {
    for (const auto& [name, value] : fields_.all()) {
      if (!Contains(kCipherKeys, name)) {
        Complain(name, fmt::format("not a key of {}", request_.cipher->name));
      }
    }
    for (const char* name : {"key", "in"}) {
      if (fields_.Find(name) == nullptr) Complain(name, "missing");
    }
    std::vector<uint8_t> key = ReadHex("key");
    request_.key = SecretBytes(key);
    WipeBytes(key);
    CheckLen("key", key.size(), request_.cipher->key_len);
    if (request_.cipher->iv_len != 0 && fields_.Find("iv") == nullptr) Complain("iv", "missing");
    request_.iv = ReadHex("iv");
    CheckLen("iv", request_.iv.size(), request_.cipher->iv_len);
    request_.in = ReadHex("in");
  }

  const JsonFields fields_;
  JsonRequest request_;
  std::optional<JsonFault> fault_;
};

}  // namespace

std::expected<JsonRequest, JsonFault> ParseRequest(const std::string& line) {
  return RequestReader(line).Read();
}

std::string OkLine(std::string_view id, std::span<const uint8_t> out) {
  return fmt::format("{{\"id\":{},\"status\":\"ok\",\"out\":\"{}\"}}\n", id, HexEncode(out));
}

std::string StatusLine(std::string_view id, driver::Status status) {
  return fmt::format("{{\"id\":{},\"status\":\"{}\"}}\n", id, ToString(status));
}

std::string FaultLine(const JsonFault& fault) {
  return fmt::format("{{\"id\":{},\"error\":{{\"field\":{},\"message\":{}}}}}\n", fault.id,
                     fault.field ? Dump(*fault.field) : "null", Dump(fault.message));
}

}  // namespace sealane::cli
