// SPDX-License-Identifier: Apache-2.0
#include "cipher_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sealane/wire/virtio_crypto.h"
#include "service_names.h"

namespace sealane::cli {
namespace {

// Names, algorithm, then bytes: key, IV, unit, least payload.
constexpr std::array<Cipher, 14> kCiphers = {{
    {"aes-128-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, 16, 0, 16, 16, "AES-128-ECB"},
    {"aes-192-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, 24, 0, 16, 16, "AES-192-ECB"},
    {"aes-256-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, 32, 0, 16, 16, "AES-256-ECB"},
    {"aes-128-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, 16, 16, 16, 16, "AES-128-CBC"},
    {"aes-192-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, 24, 16, 16, 16, "AES-192-CBC"},
    {"aes-256-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, 32, 16, 16, 16, "AES-256-CBC"},
    {"aes-128-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, 16, 16, 1, 1, "AES-128-CTR"},
    {"aes-192-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, 24, 16, 1, 1, "AES-192-CTR"},
    {"aes-256-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, 32, 16, 1, 1, "AES-256-CTR"},
    {"aes-128-xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, 32, 16, 1, 16, "AES-128-XTS"},
    {"aes-256-xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, 64, 16, 1, 16, "AES-256-XTS"},
    {"3des-ecb", wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB, 24, 0, 8, 8, "DES-EDE3-ECB"},
    {"3des-cbc", wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC, 24, 8, 8, 8, "DES-EDE3-CBC"},
    {"3des-ctr", wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR, 24, 8, 1, 1, "DES-EDE3-ECB"},
}};

// Defined, and not built yet.
constexpr std::array<std::string_view, 3> kOthers = {"kasumi-f8", "snow3g-uea2", "zuc-eea3"};

}  // namespace

std::span<const Cipher> Ciphers() { return kCiphers; }

const Cipher* FindCipher(std::string_view name) {
  const auto it = std::ranges::find(kCiphers, name, &Cipher::name);
  return it == kCiphers.end() ? nullptr : &*it;
}

std::string CipherList() {
  std::string list;
  for (const Cipher& cipher : kCiphers) {
    if (!list.empty()) list += ", ";
    list += cipher.name;
  }
  return list;
}

bool IsKnownAlgorithm(std::string_view name) {
  return FindCipher(name) != nullptr || FindServiceAlgorithm(name) != nullptr ||
         std::ranges::find(kOthers, name) != kOthers.end();
}

std::optional<std::string> CheckPayloadLen(const Cipher& cipher, size_t len) {
  if (len < cipher.min_len) {
    return fmt::format("{} bytes are too few for {}, which takes {} or more", len, cipher.name,
                       cipher.min_len);
  }
  if (len % cipher.unit_len != 0) {
    return fmt::format("{} bytes are not a multiple of {}'s block of {} bytes", len, cipher.name,
                       cipher.unit_len);
  }
  return std::nullopt;
}

}  // namespace sealane::cli
