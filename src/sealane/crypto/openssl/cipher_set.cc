// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/cipher_set.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include <utility>

namespace sealane::crypto {
namespace {

struct CipherRow {
  CipherAlgorithm algorithm;
  size_t key_len;  // bytes
  const char* name;
};

constexpr std::array kRows = {
    CipherRow{CipherAlgorithm::kAesEcb, 16, "AES-128-ECB"},
    CipherRow{CipherAlgorithm::kAesEcb, 24, "AES-192-ECB"},
    CipherRow{CipherAlgorithm::kAesEcb, 32, "AES-256-ECB"},
    CipherRow{CipherAlgorithm::kAesCbc, 16, "AES-128-CBC"},
    CipherRow{CipherAlgorithm::kAesCbc, 24, "AES-192-CBC"},
    CipherRow{CipherAlgorithm::kAesCbc, 32, "AES-256-CBC"},
    CipherRow{CipherAlgorithm::kAesCtr, 16, "AES-128-CTR"},
    CipherRow{CipherAlgorithm::kAesCtr, 24, "AES-192-CTR"},
    CipherRow{CipherAlgorithm::kAesCtr, 32, "AES-256-CTR"},
    CipherRow{CipherAlgorithm::kAesXts, 32, "AES-128-XTS"},
    CipherRow{CipherAlgorithm::kAesXts, 64, "AES-256-XTS"},
    CipherRow{CipherAlgorithm::kDes3Ecb, 24, "DES-EDE3-ECB"},
    CipherRow{CipherAlgorithm::kDes3Cbc, 24, "DES-EDE3-CBC"},
    CipherRow{CipherAlgorithm::kDes3Ctr, 24, "DES-EDE3-ECB"},
};

}  // namespace

CipherSet::CipherSet(LibraryPtr library, ProviderPtr provider)
    : library_(std::move(library)), provider_(std::move(provider)) {
  static_assert(kRows.size() == kNumCiphers);
  for (size_t i = 0; i < kNumCiphers; ++i) {
    ciphers_[i].reset(EVP_CIPHER_fetch(library_.get(), kRows[i].name, nullptr));
  }
  // A cipher that this OpenSSL was built without is not offered, which is no failure.
  ERR_clear_error();
}

Result<CipherSet> CipherSet::Create() {
  LibraryPtr library(OSSL_LIB_CTX_new());
  if (!library) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OSSL_LIB_CTX_new"};
  }
  ProviderPtr provider(OSSL_PROVIDER_load(library.get(), "default"));
  if (!provider) {
    ERR_clear_error();
    return Error{ErrorCode::kUnsupported, "OpenSSL's default provider does not load"};
  }
  return CipherSet(std::move(library), std::move(provider));
}

const evp_cipher_st* CipherSet::Find(CipherAlgorithm algorithm, size_t key_len) const {
  for (size_t i = 0; i < kNumCiphers; ++i) {
    if (kRows[i].algorithm == algorithm && kRows[i].key_len == key_len) return ciphers_[i].get();
  }
  return nullptr;
}

bool CipherSet::Offers(CipherAlgorithm algorithm) const {
  bool known = false;
  for (size_t i = 0; i < kNumCiphers; ++i) {
    if (kRows[i].algorithm != algorithm) continue;
    if (!ciphers_[i]) return false;
    known = true;
  }
  return known;
}

}  // namespace sealane::crypto
