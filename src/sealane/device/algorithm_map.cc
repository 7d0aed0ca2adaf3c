// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/algorithm_map.h"

#include <array>

namespace sealane::device {
namespace {

using crypto::AeadAlgorithm;
using crypto::AkcipherAlgorithm;
using crypto::CipherAlgorithm;
using crypto::HashAlgorithm;
using crypto::MacAlgorithm;

// All tables are in the order of their enumeration.
constexpr std::array<uint32_t, crypto::kNumCipherAlgorithms> kCiphers = {
    wire::VIRTIO_CRYPTO_CIPHER_AES_ECB,   wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
    wire::VIRTIO_CRYPTO_CIPHER_AES_CTR,   wire::VIRTIO_CRYPTO_CIPHER_AES_XTS,
    wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB,  wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC,
    wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR,  wire::VIRTIO_CRYPTO_CIPHER_DES_ECB,
    wire::VIRTIO_CRYPTO_CIPHER_DES_CBC,   wire::VIRTIO_CRYPTO_CIPHER_ARC4,
    wire::VIRTIO_CRYPTO_CIPHER_KASUMI_F8, wire::VIRTIO_CRYPTO_CIPHER_SNOW3G_UEA2,
    wire::VIRTIO_CRYPTO_CIPHER_ZUC_EEA3,
};
constexpr std::array<uint32_t, crypto::kNumHashAlgorithms> kHashes = {
    wire::VIRTIO_CRYPTO_HASH_MD5,           wire::VIRTIO_CRYPTO_HASH_SHA1,
    wire::VIRTIO_CRYPTO_HASH_SHA_224,       wire::VIRTIO_CRYPTO_HASH_SHA_256,
    wire::VIRTIO_CRYPTO_HASH_SHA_384,       wire::VIRTIO_CRYPTO_HASH_SHA_512,
    wire::VIRTIO_CRYPTO_HASH_SHA3_224,      wire::VIRTIO_CRYPTO_HASH_SHA3_256,
    wire::VIRTIO_CRYPTO_HASH_SHA3_384,      wire::VIRTIO_CRYPTO_HASH_SHA3_512,
    wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128, wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE256,
};
constexpr std::array<uint32_t, crypto::kNumMacAlgorithms> kMacs = {
    wire::VIRTIO_CRYPTO_MAC_HMAC_MD5,     wire::VIRTIO_CRYPTO_MAC_HMAC_SHA1,
    wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_224, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256,
    wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_384, wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_512,
    wire::VIRTIO_CRYPTO_MAC_CMAC_3DES,    wire::VIRTIO_CRYPTO_MAC_CMAC_AES,
    wire::VIRTIO_CRYPTO_MAC_KASUMI_F9,    wire::VIRTIO_CRYPTO_MAC_SNOW3G_UIA2,
    wire::VIRTIO_CRYPTO_MAC_GMAC_AES,     wire::VIRTIO_CRYPTO_MAC_CBCMAC_AES,
    wire::VIRTIO_CRYPTO_MAC_XCBC_AES,     wire::VIRTIO_CRYPTO_MAC_ZUC_EIA3,
};
constexpr std::array<uint32_t, crypto::kNumAeadAlgorithms> kAeads = {
    wire::VIRTIO_CRYPTO_AEAD_GCM,
    wire::VIRTIO_CRYPTO_AEAD_CCM,
    wire::VIRTIO_CRYPTO_AEAD_CHACHA20_POLY1305,
};
constexpr std::array<uint32_t, crypto::kNumAkcipherAlgorithms> kAkciphers = {
    wire::VIRTIO_CRYPTO_AKCIPHER_RSA,
    wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA,
};

template <class Algorithm, size_t kSize>
std::optional<Algorithm> Find(const std::array<uint32_t, kSize>& table, uint32_t number) {
  for (size_t i = 0; i < kSize; ++i) {
    if (table[i] == number) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

// The bits of what is offered.
template <class Algorithm, size_t kSize>
uint64_t BitsOf(const std::array<uint32_t, kSize>& table,
                const crypto::AlgorithmSet<Algorithm>& offered) {
  uint64_t bits = 0;
  for (size_t i = 0; i < kSize; ++i) {
    if (offered.Has(static_cast<Algorithm>(i))) bits |= uint64_t{1} << table[i];
  }
  return bits;
}

constexpr uint32_t Low(uint64_t bits) { return static_cast<uint32_t>(bits); }
constexpr uint32_t High(uint64_t bits) { return static_cast<uint32_t>(bits >> 32); }

uint32_t Services(const crypto::EngineCaps& caps) {
  const auto bit = [](bool is_there, uint32_t service) {
    return is_there ? uint32_t{1} << service : 0U;
  };
  return bit(!caps.ciphers.empty(), wire::VIRTIO_CRYPTO_SERVICE_CIPHER) |
         bit(!caps.hashes.empty(), wire::VIRTIO_CRYPTO_SERVICE_HASH) |
         bit(!caps.macs.empty(), wire::VIRTIO_CRYPTO_SERVICE_MAC) |
         bit(!caps.aeads.empty(), wire::VIRTIO_CRYPTO_SERVICE_AEAD) |
         bit(!caps.akciphers.empty(), wire::VIRTIO_CRYPTO_SERVICE_AKCIPHER);
}

}  // namespace

uint32_t ToWire(CipherAlgorithm algorithm) { return kCiphers[static_cast<size_t>(algorithm)]; }
uint32_t ToWire(HashAlgorithm algorithm) { return kHashes[static_cast<size_t>(algorithm)]; }
uint32_t ToWire(MacAlgorithm algorithm) { return kMacs[static_cast<size_t>(algorithm)]; }
uint32_t ToWire(AeadAlgorithm algorithm) { return kAeads[static_cast<size_t>(algorithm)]; }
uint32_t ToWire(AkcipherAlgorithm algorithm) { return kAkciphers[static_cast<size_t>(algorithm)]; }

std::optional<CipherAlgorithm> CipherFromWire(uint32_t number) {
  return Find<CipherAlgorithm>(kCiphers, number);
}
std::optional<HashAlgorithm> HashFromWire(uint32_t number) {
  return Find<HashAlgorithm>(kHashes, number);
}
std::optional<MacAlgorithm> MacFromWire(uint32_t number) {
  return Find<MacAlgorithm>(kMacs, number);
}
std::optional<AeadAlgorithm> AeadFromWire(uint32_t number) {
  return Find<AeadAlgorithm>(kAeads, number);
}
std::optional<AkcipherAlgorithm> AkcipherFromWire(uint32_t number) {
  return Find<AkcipherAlgorithm>(kAkciphers, number);
}

wire::virtio_crypto_config MakeConfig(const crypto::EngineCaps& caps, uint32_t num_data_queues,
                                      Compatibility compatibility) {
  const uint64_t ciphers = BitsOf(kCiphers, caps.ciphers);
  const uint64_t macs = BitsOf(kMacs, caps.macs);
  uint64_t akciphers = BitsOf(kAkciphers, caps.akciphers);
  if (compatibility.linux_ecdsa && caps.Offers(AkcipherAlgorithm::kEcdsa)) {
    akciphers |= uint64_t{1} << wire::kLinuxAkcipherEcdsa;
  }
  wire::virtio_crypto_config config{};
  config.status.set(wire::VIRTIO_CRYPTO_S_HW_READY);
  config.max_dataqueues.set(num_data_queues);
  config.crypto_services.set(Services(caps));
  config.cipher_algo_l.set(Low(ciphers));
  config.cipher_algo_h.set(High(ciphers));
  config.hash_algo.set(Low(BitsOf(kHashes, caps.hashes)));
  config.mac_algo_l.set(Low(macs));
  config.mac_algo_h.set(High(macs));
  config.aead_algo.set(Low(BitsOf(kAeads, caps.aeads)));
  config.max_cipher_key_len.set(crypto::kMaxCipherKeyLen);
  config.max_auth_key_len.set(caps.macs.empty() ? 0U : uint32_t{crypto::kMaxAuthKeyLen});
  config.akcipher_algo.set(Low(akciphers));
  config.max_size.set(crypto::kMaxPayload);
  return config;
}

}  // namespace sealane::device
