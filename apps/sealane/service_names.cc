// SPDX-License-Identifier: Apache-2.0
#include "service_names.h"

#include <algorithm>
#include <array>

#include "sealane/wire/virtio_crypto.h"

namespace sealane::cli {
namespace {

using driver::RequestKind;

constexpr auto kAlgorithms = std::to_array<ServiceAlgorithm>({
    {"md5", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_MD5, 0, 16},
    {"sha1", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA1, 0, 20},
    {"sha224", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA_224, 0, 28},
    {"sha256", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA_256, 0, 32},
    {"sha384", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA_384, 0, 48},
    {"sha512", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA_512, 0, 64},
    {"sha3-224", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_224, 0, 28},
    {"sha3-256", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_256, 0, 32},
    {"sha3-384", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_384, 0, 48},
    {"sha3-512", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_512, 0, 64},
    {"shake128", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128, 0, 0},
    {"shake256", RequestKind::kHash, wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256, 0, 0},
    {"hmac-md5", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_MD5, 0, 16},
    {"hmac-sha1", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA1, 0, 20},
    {"hmac-sha224", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_224, 0, 28},
    {"hmac-sha256", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256, 0, 32},
    {"hmac-sha384", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_384, 0, 48},
    {"hmac-sha512", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_512, 0, 64},
    {"cmac-3des", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_CMAC_3DES, 24, 8},
    {"cmac-aes", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_CMAC_AES, 0, 16},
    {"gmac-aes", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_GMAC_AES, 0, 16},
    {"cbcmac-aes", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_CBCMAC_AES, 0, 16},
    {"xcbc-aes", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_XCBC_AES, 16, 16},
    {"kasumi-f9", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_KASUMI_F9, 16, 4},
    {"snow3g-uia2", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_SNOW3G_UIA2, 16, 4},
    {"zuc-eia3", RequestKind::kMac, wire::VIRTIO_CRYPTO_MAC_ZUC_EIA3, 16, 4},
    {"aes-128-gcm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_GCM, 16, 16},
    {"aes-192-gcm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_GCM, 24, 16},
    {"aes-256-gcm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_GCM, 32, 16},
    {"aes-128-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM, 16, 16},
    {"aes-192-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM, 24, 16},
    {"aes-256-ccm", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CCM, 32, 16},
    {"chacha20-poly1305", RequestKind::kAead, wire::VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305, 32, 16},
    {"rsa", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_RSA},
    {"ecdsa-p192", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, 0, 0,
     wire::VIRTIO_CRYPTO_CURVE_NIST_P192},
    {"ecdsa-p224", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, 0, 0,
     wire::VIRTIO_CRYPTO_CURVE_NIST_P224},
    {"ecdsa-p256", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, 0, 0,
     wire::VIRTIO_CRYPTO_CURVE_NIST_P256},
    {"ecdsa-p384", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, 0, 0,
     wire::VIRTIO_CRYPTO_CURVE_NIST_P384},
    {"ecdsa-p521", RequestKind::kAkcipher, wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA, 0, 0,
     wire::VIRTIO_CRYPTO_CURVE_NIST_P521},
});

}  // namespace

std::span<const ServiceAlgorithm> ServiceAlgorithms() { return kAlgorithms; }

const ServiceAlgorithm* FindServiceAlgorithm(std::string_view name) {
  const auto it = std::ranges::find(kAlgorithms, name, &ServiceAlgorithm::name);
  return it == kAlgorithms.end() ? nullptr : &*it;
}

}  // namespace sealane::cli
