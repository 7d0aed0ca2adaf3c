// SPDX-License-Identifier: Apache-2.0
//
// Owning pointers to OpenSSL's objects, declared without OpenSSL's headers, so that only the .cc
// files of this folder see those. One owner each; threading as OpenSSL has it (a fetched cipher may
// be used by many threads, a context by one at a time).
#pragma once

#include <memory>

// The names behind OSSL_LIB_CTX, OSSL_PROVIDER, EVP_CIPHER and EVP_CIPHER_CTX.
struct ossl_lib_ctx_st;
struct ossl_provider_st;
struct evp_cipher_st;
struct evp_cipher_ctx_st;

namespace sealane::crypto {

struct OpenSslDeleter {
  void operator()(ossl_lib_ctx_st* library) const;
  void operator()(ossl_provider_st* provider) const;
  void operator()(evp_cipher_st* cipher) const;
  void operator()(evp_cipher_ctx_st* context) const;  // wipes the expanded key
};

using LibraryPtr = std::unique_ptr<ossl_lib_ctx_st, OpenSslDeleter>;
using ProviderPtr = std::unique_ptr<ossl_provider_st, OpenSslDeleter>;
using EvpCipherPtr = std::unique_ptr<evp_cipher_st, OpenSslDeleter>;
using EvpContextPtr = std::unique_ptr<evp_cipher_ctx_st, OpenSslDeleter>;

}  // namespace sealane::crypto
