// SPDX-License-Identifier: Apache-2.0
#include "service_sources.h"

#include <array>
#include <charconv>
#include <optional>

#include "sealane/testing/record_reader.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::vectors {
namespace {

using driver::RequestKind;
using testing::Bytes;
using testing::Record;

struct File {
  const char* path;  // under the cache
  const char* algorithm;
  RequestKind kind;
  uint32_t number;
};

constexpr auto kFiles = std::to_array<File>({
    {"hashes/MD5/rfc-1321.txt", "md5", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_MD5},
    {"hashes/SHA1/SHA1ShortMsg.rsp", "sha1", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA1},
    {"hashes/SHA1/SHA1LongMsg.rsp", "sha1", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA1},
    {"hashes/SHA2/SHA224ShortMsg.rsp", "sha224", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_224},
    {"hashes/SHA2/SHA224LongMsg.rsp", "sha224", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_224},
    {"hashes/SHA2/SHA256ShortMsg.rsp", "sha256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_256},
    {"hashes/SHA2/SHA256LongMsg.rsp", "sha256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_256},
    {"hashes/SHA2/SHA384ShortMsg.rsp", "sha384", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_384},
    {"hashes/SHA2/SHA384LongMsg.rsp", "sha384", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_384},
    {"hashes/SHA2/SHA512ShortMsg.rsp", "sha512", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_512},
    {"hashes/SHA2/SHA512LongMsg.rsp", "sha512", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA_512},
    {"hashes/SHA3/SHA3_224ShortMsg.rsp", "sha3-224", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_224},
    {"hashes/SHA3/SHA3_224LongMsg.rsp", "sha3-224", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_224},
    {"hashes/SHA3/SHA3_256ShortMsg.rsp", "sha3-256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_256},
    {"hashes/SHA3/SHA3_256LongMsg.rsp", "sha3-256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_256},
    {"hashes/SHA3/SHA3_384ShortMsg.rsp", "sha3-384", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_384},
    {"hashes/SHA3/SHA3_384LongMsg.rsp", "sha3-384", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_384},
    {"hashes/SHA3/SHA3_512ShortMsg.rsp", "sha3-512", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_512},
    {"hashes/SHA3/SHA3_512LongMsg.rsp", "sha3-512", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_512},
    {"hashes/SHAKE/SHAKE128ShortMsg.rsp", "shake128", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128},
    {"hashes/SHAKE/SHAKE128LongMsg.rsp", "shake128", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128},
    {"hashes/SHAKE/SHAKE128VariableOut.rsp", "shake128", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128},
    {"hashes/SHAKE/SHAKE256ShortMsg.rsp", "shake256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256},
    {"hashes/SHAKE/SHAKE256LongMsg.rsp", "shake256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256},
    {"hashes/SHAKE/SHAKE256VariableOut.rsp", "shake256", RequestKind::kHash,
     wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256},
    {"HMAC/rfc-2202-md5.txt", "hmac-md5", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_MD5},
    {"HMAC/rfc-2202-sha1.txt", "hmac-sha1", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA1},
    {"HMAC/rfc-4231-sha224.txt", "hmac-sha224", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_224},
    {"HMAC/rfc-4231-sha256.txt", "hmac-sha256", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256},
    {"HMAC/rfc-4231-sha384.txt", "hmac-sha384", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_384},
    {"HMAC/rfc-4231-sha512.txt", "hmac-sha512", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_512},
    {"CMAC/nist-800-38b-aes128.txt", "cmac-aes", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_CMAC_AES},
    {"CMAC/nist-800-38b-aes192.txt", "cmac-aes", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_CMAC_AES},
    {"CMAC/nist-800-38b-aes256.txt", "cmac-aes", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_CMAC_AES},
    {"CMAC/nist-800-38b-3des.txt", "cmac-3des", RequestKind::kMac,
     wire::VIRTIO_CRYPTO_MAC_CMAC_3DES},
    {"ciphers/AES/GCM/gcmDecrypt128.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/GCM/gcmDecrypt192.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/GCM/gcmDecrypt256.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/GCM/gcmEncryptExtIV128.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/GCM/gcmEncryptExtIV192.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/GCM/gcmEncryptExtIV256.rsp", "aes-gcm", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_GCM},
    {"ciphers/AES/CCM/DVPT128.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/DVPT192.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/DVPT256.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VADT128.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VADT192.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VADT256.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VNT128.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VNT192.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VNT256.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VPT128.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VPT192.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VPT256.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VTT128.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VTT192.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/AES/CCM/VTT256.rsp", "aes-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM},
    {"ciphers/ChaCha20Poly1305/openssl.txt", "chacha20-poly1305", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305},
    {"ciphers/ChaCha20Poly1305/boringssl.txt", "chacha20-poly1305", RequestKind::kAead,
     wire::VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305},
});

// One record of a file, with what is missing or wrong remembered.
class RecordBytes {
 public:
  explicit RecordBytes(const Record& record) : record_(record) {}

  Bytes Get(std::initializer_list<std::string_view> names, bool is_needed = true) {
    const auto value = record_.Find(names);
    if (!value) {
      ok_ &= !is_needed;
      return {};
    }
    auto bytes = testing::ValueBytes(*value);
    ok_ &= bytes.has_value();
    return std::move(bytes).value_or(Bytes());
  }
  // The same, empty where a length says so: CAVP then writes a byte of zero.
  Bytes GetSized(std::initializer_list<std::string_view> names, std::string_view length) {
    const auto len = record_.Find({length});
    return len == "0" ? Bytes() : Get(names);
  }
  bool ok() const { return ok_; }

 private:
  const Record& record_;
  bool ok_ = true;
};

ServiceVector VectorOf(const File& file) {
  return {.algorithm = file.algorithm, .kind = file.kind, .number = file.number};
}

std::optional<ServiceVector> ReadDigest(const File& file, const Record& record) {
  ServiceVector vector = VectorOf(file);
  RecordBytes bytes(record);
  vector.src = bytes.GetSized({"msg", "message"}, "len");
  vector.result = bytes.Get({"md", "output"});
  if (record.Has("key1")) {
    for (const char* part : {"key1", "key2", "key3"}) {
      const Bytes third = bytes.Get({part});
      vector.key.insert(vector.key.end(), third.begin(), third.end());
    }
  } else if (file.kind == RequestKind::kMac) {
    vector.key = bytes.Get({"key"});
  }
  return bytes.ok() ? std::optional(std::move(vector)) : std::nullopt;
}

size_t ToNumber(std::string_view text) {
  size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// CCM's files have the tag behind the ciphertext.
void SplitTag(const Record& record, ServiceVector& vector) {
  const size_t tag_len = ToNumber(record.Find({"tlen"}).value_or("0"));
  if (vector.result.size() < tag_len) return;
  const auto middle = vector.result.end() - static_cast<ptrdiff_t>(tag_len);
  vector.tag.assign(middle, vector.result.end());
  vector.result.erase(middle, vector.result.end());
}

std::optional<ServiceVector> ReadAead(const File& file, const Record& record) {
  ServiceVector vector = VectorOf(file);
  RecordBytes bytes(record);
  vector.key = bytes.Get({"key"});
  vector.iv = bytes.Get({"iv", "nonce"});
  vector.aad = bytes.GetSized({"aad", "adata", "ad"}, "alen");
  vector.is_authentic = !record.Has("fail") && record.Find({"result"}) != "Fail" &&
                        record.Find({"result"}) != "CIPHERFINAL_ERROR";
  if (vector.is_authentic) {
    vector.src = bytes.GetSized({"pt", "payload", "plaintext", "in"}, "plen");
  }
  vector.result = bytes.Get({"ct", "ciphertext"});
  vector.tag = bytes.Get({"tag"}, false);
  if (vector.tag.empty()) SplitTag(record, vector);
  vector.algorithm =
      vector.algorithm.starts_with("aes-")
          ? "aes-" + std::to_string(8 * vector.key.size()) + vector.algorithm.substr(3)
          : vector.algorithm;
  return bytes.ok() ? std::optional(std::move(vector)) : std::nullopt;
}

// Why it cannot be run here; empty if it can.
std::string ReasonToSkip(const ServiceVector& vector) {
  const bool is_gcm = vector.algorithm.ends_with("gcm");
  if (is_gcm && vector.iv.size() != 12) return vector.algorithm + ": IV is not 96 bits";
  return "";
}

}  // namespace

std::expected<ServiceVectors, std::string> LoadServiceVectors(const std::string& cache) {
  ServiceVectors all;
  for (const File& file : kFiles) {
    const std::string path = cache + "/cavp/" + file.path;
    const auto text = testing::ReadVectorText(path);
    if (!text.has_value()) return std::unexpected(text.error());
    const bool is_aead = file.kind == RequestKind::kAead;
    const auto records = is_aead ? testing::ParseRecords(*text, {"ct", "ciphertext"})
                                 : testing::ParseRecords(*text, {"md", "output"});
    for (const Record& record : records) {
      auto vector = is_aead ? ReadAead(file, record) : ReadDigest(file, record);
      const std::string origin = path + ":" + std::to_string(record.line);
      if (!vector) return std::unexpected(origin + ": a field is missing or is not hexadecimal");
      vector->origin = origin;
      const std::string reason = ReasonToSkip(*vector);
      if (reason.empty()) {
        all.vectors.push_back(std::move(*vector));
      } else {
        ++all.skipped[reason];
      }
    }
  }
  return all;
}

}  // namespace sealane::vectors
