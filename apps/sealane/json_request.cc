// SPDX-License-Identifier: Apache-2.0
#include "json_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "json_fields.h"
#include "sealane/base/hex.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::cli {
namespace {

using nlohmann::json;

constexpr size_t kMaxQuoted = 40;

// Those that encrypt and decrypt with a plain cipher have, then those of other operations.
constexpr std::array<std::string_view, 6> kCipherKeys = {"id", "op", "algo", "key", "iv", "in"};
constexpr std::array<std::string_view, 7> kOtherKeys = {"aad",     "tag",  "tag_len", "out_len",
                                                        "padding", "hash", "sig"};
// What other operations have besides id, op and algo.
constexpr std::array<std::string_view, 2> kDigestKeys = {"in", "out_len"};
constexpr std::array<std::string_view, 3> kMacKeys = {"key", "in", "out_len"};
constexpr std::array<std::string_view, 6> kAeadKeys = {"key", "iv", "in", "aad", "tag", "tag_len"};
constexpr std::array<std::string_view, 5> kAkcipherKeys = {"key", "in", "padding", "hash", "sig"};
constexpr std::array<std::string_view, 3> kCommonKeys = {"id", "op", "algo"};
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
    if (!fault_ && request_.service != nullptr) ReadServiceFields();
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
    request_.operation = OperationNamed(op);
    if (cipher_op) request_.cipher = FindCipher(algo);
    const ServiceAlgorithm* const service = FindServiceAlgorithm(algo);
    if (service != nullptr && op == OperationOf(service->kind, op)) request_.service = service;
  }

  static driver::Operation OperationNamed(std::string_view op) {
    if (op == "decrypt") return driver::Operation::kDecrypt;
    if (op == "sign") return driver::Operation::kSign;
    if (op == "verify") return driver::Operation::kVerify;
    return driver::Operation::kEncrypt;
  }

  // The operation that algorithms of this kind are for.
  static std::string_view OperationOf(driver::RequestKind kind, std::string_view op) {
    if (kind == driver::RequestKind::kHash) return "digest";
    if (kind == driver::RequestKind::kMac) return "mac";
    if (kind == driver::RequestKind::kAkcipher && (op == "sign" || op == "verify")) return op;
    return op == "decrypt" ? "decrypt" : "encrypt";
  }

  std::vector<uint8_t> ReadHex(const char* name) {
    const json* const value = fields_.Find(name);
    if (value == nullptr || fault_) return {};
    auto bytes = HexDecode(value->get_ref<const std::string&>());
    if (!bytes) Complain(name, "not hexadecimal");
    return std::move(bytes).value_or(std::vector<uint8_t>());
  }

  void CheckLen(const char* name, std::string_view algo, size_t len, size_t wanted) {
    if (len == wanted) return;
    Complain(name, fmt::format("{} takes {} bytes, not {}", algo, wanted, len));
  }

  void ReadKey() {
    std::vector<uint8_t> key = ReadHex("key");
    request_.key = SecretBytes(key);
    WipeBytes(key);
  }

  void Require(const char* name) {
    if (fields_.Find(name) == nullptr) Complain(name, "missing");
  }

  // Nothing: not given.
  std::optional<uint32_t> ReadNumber(const char* name) {
    constexpr uint64_t kMax = uint64_t{1} << 24;
    const json* const value = fields_.Find(name);
    if (value == nullptr || fault_) return std::nullopt;
    const auto number = value->get<uint64_t>();
    if (number == 0 || number > kMax) Complain(name, "no such length");
    return static_cast<uint32_t>(std::min(number, kMax));
  }

  std::span<const std::string_view> KeysOf(driver::RequestKind kind) {
    if (kind == driver::RequestKind::kHash) return kDigestKeys;
    if (kind == driver::RequestKind::kMac) return kMacKeys;
    if (kind == driver::RequestKind::kAkcipher) return kAkcipherKeys;
    return kAeadKeys;
  }

  void ReadServiceFields() {
    const ServiceAlgorithm& service = *request_.service;
    const auto keys = KeysOf(service.kind);
    for (const auto& [name, value] : fields_.all()) {
      if (!Contains(kCommonKeys, name) && !Contains(keys, name)) {
        Complain(name, fmt::format("not a key of {}", service.name));
      }
    }
    Require("in");
    request_.in = ReadHex("in");
    if (service.kind != driver::RequestKind::kHash) {
      Require("key");
      ReadKey();
      if (service.key_len != 0) {
        CheckLen("key", service.name, request_.key.size(), service.key_len);
      }
    }
    if (service.kind == driver::RequestKind::kAead) return ReadAeadFields();
    if (service.kind == driver::RequestKind::kAkcipher) return ReadAkcipherFields();
    request_.result_len = ReadNumber("out_len").value_or(service.result_len);
    if (request_.result_len == 0) Complain("out_len", "missing");
  }

  void ReadAeadFields() {
    Require("iv");
    request_.iv = ReadHex("iv");
    if (request_.iv.size() > driver::kMaxIvLen) Complain("iv", "longer than any");
    request_.aad = ReadHex("aad");
    const bool opens = request_.operation == driver::Operation::kDecrypt;
    if (opens) {
      Require("tag");
      request_.tag = ReadHex("tag");
      if (request_.tag.empty()) Complain("tag", "no such length");
    } else if (fields_.Find("tag") != nullptr) {
      Complain("tag", "not a key of encrypt");
    }
    const auto tag_len = ReadNumber("tag_len");
    if (opens && tag_len && *tag_len != request_.tag.size()) Complain("tag_len", "not that of tag");
    request_.result_len = opens ? static_cast<uint32_t>(request_.tag.size())
                                : tag_len.value_or(request_.service->result_len);
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
    ReadKey();
    CheckLen("key", request_.cipher->name, request_.key.size(), request_.cipher->key_len);
    if (request_.cipher->iv_len != 0 && fields_.Find("iv") == nullptr) Complain("iv", "missing");
    request_.iv = ReadHex("iv");
    CheckLen("iv", request_.cipher->name, request_.iv.size(), request_.cipher->iv_len);
    request_.in = ReadHex("in");
  }

  void ReadAkcipherFields() {
    const bool verifies = request_.operation == driver::Operation::kVerify;
    request_.is_private = request_.operation == driver::Operation::kDecrypt ||
                          request_.operation == driver::Operation::kSign;
    if (verifies) {
      Require("sig");
      request_.aad = std::move(request_.in);
      request_.in = ReadHex("sig");
    } else if (fields_.Find("sig") != nullptr) {
      Complain("sig", "only verify has one");
    }
    if (request_.service->curve != 0) {
      request_.padding_or_curve = request_.service->curve;
      if (fields_.Find("padding") != nullptr) Complain("padding", "not a key of ecdsa");
      return;  // what is signed is a digest, and `hash` says of which kind: nobody needs to know
    }
    const std::string padding = ReadText("padding");
    if (padding == "pkcs1") {
      request_.padding_or_curve = wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING;
    } else if (padding != "raw") {
      Complain("padding", "raw or pkcs1");
    }
    if (fields_.Find("hash") != nullptr) ReadRsaHash(ReadText("hash"));
  }

  void ReadRsaHash(const std::string& name) {
    constexpr std::array<std::pair<std::string_view, uint32_t>, 6> kHashes = {
        {{"md5", wire::VIRTIO_CRYPTO_RSA_MD5},
         {"sha1", wire::VIRTIO_CRYPTO_RSA_SHA1},
         {"sha224", wire::VIRTIO_CRYPTO_RSA_SHA224},
         {"sha256", wire::VIRTIO_CRYPTO_RSA_SHA256},
         {"sha384", wire::VIRTIO_CRYPTO_RSA_SHA384},
         {"sha512", wire::VIRTIO_CRYPTO_RSA_SHA512}}};
    for (const auto& [hash, number] : kHashes) {
      if (hash == name) request_.hash = number;
    }
    if (request_.hash == 0) Complain("hash", "none of RSA's");
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

std::string SealedLine(std::string_view id, std::span<const uint8_t> out,
                       std::span<const uint8_t> tag) {
  return fmt::format("{{\"id\":{},\"status\":\"ok\",\"out\":\"{}\",\"tag\":\"{}\"}}\n", id,
                     HexEncode(out), HexEncode(tag));
}

std::string StatusLine(std::string_view id, driver::Status status) {
  return fmt::format("{{\"id\":{},\"status\":\"{}\"}}\n", id, ToString(status));
}

std::string FaultLine(const JsonFault& fault) {
  return fmt::format("{{\"id\":{},\"error\":{{\"field\":{},\"message\":{}}}}}\n", fault.id,
                     fault.field ? Dump(*fault.field) : "null", Dump(fault.message));
}

}  // namespace sealane::cli
