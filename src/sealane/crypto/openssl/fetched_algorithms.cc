// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/fetched_algorithms.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <utility>

namespace sealane::crypto {
namespace {

template <class Algorithm>
struct Row {
  Algorithm algorithm;
  size_t key_len;  // bytes; 0: any
  const char* name;
};

constexpr std::array kCiphers = {
    Row{CipherAlgorithm::kAesEcb, 16, "AES-128-ECB"},
    Row{CipherAlgorithm::kAesEcb, 24, "AES-192-ECB"},
    Row{CipherAlgorithm::kAesEcb, 32, "AES-256-ECB"},
    Row{CipherAlgorithm::kAesCbc, 16, "AES-128-CBC"},
    Row{CipherAlgorithm::kAesCbc, 24, "AES-192-CBC"},
    Row{CipherAlgorithm::kAesCbc, 32, "AES-256-CBC"},
    Row{CipherAlgorithm::kAesCtr, 16, "AES-128-CTR"},
    Row{CipherAlgorithm::kAesCtr, 24, "AES-192-CTR"},
    Row{CipherAlgorithm::kAesCtr, 32, "AES-256-CTR"},
    Row{CipherAlgorithm::kAesXts, 32, "AES-128-XTS"},
    Row{CipherAlgorithm::kAesXts, 64, "AES-256-XTS"},
    Row{CipherAlgorithm::kDes3Ecb, 24, "DES-EDE3-ECB"},
    Row{CipherAlgorithm::kDes3Cbc, 24, "DES-EDE3-CBC"},
    Row{CipherAlgorithm::kDes3Ctr, 24, "DES-EDE3-ECB"},
    Row{CipherAlgorithm::kDesEcb, 8, "DES-ECB"},
    Row{CipherAlgorithm::kDesCbc, 8, "DES-CBC"},
    Row{CipherAlgorithm::kArc4, 0, "RC4"},
};

constexpr std::array kAeads = {
    Row{AeadAlgorithm::kAesGcm, 16, "AES-128-GCM"},
    Row{AeadAlgorithm::kAesGcm, 24, "AES-192-GCM"},
    Row{AeadAlgorithm::kAesGcm, 32, "AES-256-GCM"},
    Row{AeadAlgorithm::kAesCcm, 16, "AES-128-CCM"},
    Row{AeadAlgorithm::kAesCcm, 24, "AES-192-CCM"},
    Row{AeadAlgorithm::kAesCcm, 32, "AES-256-CCM"},
    Row{AeadAlgorithm::kChaCha20Poly1305, 32, "ChaCha20-Poly1305"},
};

// In the order of HashAlgorithm.
constexpr std::array<const char*, kNumHashAlgorithms> kDigests = {
    "MD5",      "SHA1",     "SHA2-224", "SHA2-256", "SHA2-384",  "SHA2-512",
    "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE-128", "SHAKE-256"};

template <class Algorithm, size_t kSize>
const evp_cipher_st* FindIn(const std::array<Row<Algorithm>, kSize>& rows,
                            const std::array<EvpCipherPtr, kSize>& fetched, Algorithm algorithm,
                            size_t key_len) {
  for (size_t i = 0; i < kSize; ++i) {
    const bool fits = rows[i].key_len == 0 || rows[i].key_len == key_len;
    if (rows[i].algorithm == algorithm && fits) return fetched[i].get();
  }
  return nullptr;
}

// Whether every key length of the algorithm has its cipher.
template <class Algorithm, size_t kSize>
bool IsComplete(const std::array<Row<Algorithm>, kSize>& rows,
                const std::array<EvpCipherPtr, kSize>& fetched, Algorithm algorithm) {
  bool known = false;
  for (size_t i = 0; i < kSize; ++i) {
    if (rows[i].algorithm != algorithm) continue;
    if (!fetched[i]) return false;
    known = true;
  }
  return known;
}

// Null if it is no HMAC.
const char* HmacDigest(MacAlgorithm algorithm) {
  const auto index = static_cast<size_t>(algorithm);
  constexpr auto kLast = static_cast<size_t>(MacAlgorithm::kHmacSha512);
  static_assert(kLast == static_cast<size_t>(HashAlgorithm::kSha512), "these are in one order");
  return index <= kLast ? kDigests[index] : nullptr;
}

// One key length stands for all: a MAC is offered if its cipher is.
size_t AnyKeyLen(MacAlgorithm algorithm) { return algorithm == MacAlgorithm::kCmacDes3 ? 24 : 16; }

}  // namespace

FetchedAlgorithms::FetchedAlgorithms(LibraryContext library) : library_(std::move(library)) {
  static_assert(kCiphers.size() == kNumCiphers && kAeads.size() == kNumAeads);
  for (size_t i = 0; i < kNumCiphers; ++i) {
    ciphers_[i].reset(EVP_CIPHER_fetch(library_.get(), kCiphers[i].name, nullptr));
  }
  for (size_t i = 0; i < kNumAeads; ++i) {
    aeads_[i].reset(EVP_CIPHER_fetch(library_.get(), kAeads[i].name, nullptr));
  }
  for (size_t i = 0; i < kNumHashAlgorithms; ++i) {
    digests_[i].reset(EVP_MD_fetch(library_.get(), kDigests[i], nullptr));
  }
  hmac_.reset(EVP_MAC_fetch(library_.get(), "HMAC", nullptr));
  cmac_.reset(EVP_MAC_fetch(library_.get(), "CMAC", nullptr));
  ERR_clear_error();
  SetCaps();
}

void FetchedAlgorithms::SetCaps() {
  for (size_t i = 0; i < kNumCipherAlgorithms; ++i) {
    const auto algorithm = static_cast<CipherAlgorithm>(i);
    if (IsComplete(kCiphers, ciphers_, algorithm)) caps_.ciphers.Add(algorithm);
  }
  for (size_t i = 0; i < kNumAeadAlgorithms; ++i) {
    const auto algorithm = static_cast<AeadAlgorithm>(i);
    if (IsComplete(kAeads, aeads_, algorithm)) caps_.aeads.Add(algorithm);
  }
  for (size_t i = 0; i < kNumHashAlgorithms; ++i) {
    const auto algorithm = static_cast<HashAlgorithm>(i);
    if (Find(algorithm) != nullptr) caps_.hashes.Add(algorithm);
  }
  for (size_t i = 0; i < kNumMacAlgorithms; ++i) {
    const auto algorithm = static_cast<MacAlgorithm>(i);
    if (Find(algorithm, AnyKeyLen(algorithm)).is_there()) caps_.macs.Add(algorithm);
  }
}

Result<FetchedAlgorithms> FetchedAlgorithms::Create(bool enable_legacy) {
  SL_ASSIGN_OR_RETURN(LibraryContext library, LibraryContext::Create(enable_legacy));
  return FetchedAlgorithms(std::move(library));
}

const evp_cipher_st* FetchedAlgorithms::Find(CipherAlgorithm algorithm, size_t key_len) const {
  return FindIn(kCiphers, ciphers_, algorithm, key_len);
}

const evp_cipher_st* FetchedAlgorithms::Find(AeadAlgorithm algorithm, size_t key_len) const {
  return FindIn(kAeads, aeads_, algorithm, key_len);
}

FetchedMac FetchedAlgorithms::Find(MacAlgorithm algorithm, size_t key_len) const {
  switch (algorithm) {
    case MacAlgorithm::kCmacDes3:
      return {.mac = Find(CipherAlgorithm::kDes3Cbc, key_len) ? cmac_.get() : nullptr,
              .mac_param = "DES-EDE3-CBC"};
    case MacAlgorithm::kCmacAes: {
      const evp_cipher_st* const cbc = Find(CipherAlgorithm::kAesCbc, key_len);
      return {.mac = cbc ? cmac_.get() : nullptr,
              .mac_param = cbc ? EVP_CIPHER_get0_name(cbc) : nullptr};
    }
    case MacAlgorithm::kGmacAes:
      return {.cipher = Find(AeadAlgorithm::kAesGcm, key_len)};
    case MacAlgorithm::kCbcMacAes:
    case MacAlgorithm::kXcbcAes:
      return {.cipher = Find(CipherAlgorithm::kAesCbc, key_len)};
    case MacAlgorithm::kKasumiF9:
    case MacAlgorithm::kSnow3gUia2:
    case MacAlgorithm::kZucEia3:
      return {};  // OpenSSL has none
    default:
      break;
  }
  const char* const digest = HmacDigest(algorithm);
  if (digest == nullptr || Find(static_cast<HashAlgorithm>(algorithm)) == nullptr) return {};
  return {.mac = hmac_.get(), .mac_param = digest};
}

}  // namespace sealane::crypto
