// SPDX-License-Identifier: Apache-2.0
//
// Owning pointers to OpenSSL's objects, declared without OpenSSL's headers, so that only the .cc
// files of this folder see those. One owner each; threading as OpenSSL has it (what was fetched may
// be used by many threads, a context by one at a time).
#pragma once

#include <memory>

// The names behind OSSL_LIB_CTX, OSSL_PROVIDER, EVP_CIPHER, EVP_CIPHER_CTX, EVP_MD, EVP_MD_CTX,
// EVP_MAC, EVP_MAC_CTX, EVP_PKEY and EVP_PKEY_CTX.
struct ossl_lib_ctx_st;
struct ossl_provider_st;
struct evp_cipher_st;
struct evp_cipher_ctx_st;
struct evp_md_st;
struct evp_md_ctx_st;
struct evp_mac_st;
struct evp_mac_ctx_st;
struct evp_pkey_st;
struct evp_pkey_ctx_st;

namespace sealane::crypto {

// Contexts and keys are wiped.
struct OpenSslDeleter {
  void operator()(ossl_lib_ctx_st* library) const;
  void operator()(ossl_provider_st* provider) const;
  void operator()(evp_cipher_st* cipher) const;
  void operator()(evp_cipher_ctx_st* context) const;
  void operator()(evp_md_st* digest) const;
  void operator()(evp_md_ctx_st* context) const;
  void operator()(evp_mac_st* mac) const;
  void operator()(evp_mac_ctx_st* context) const;
  void operator()(evp_pkey_st* key) const;
  void operator()(evp_pkey_ctx_st* context) const;
};

using LibraryPtr = std::unique_ptr<ossl_lib_ctx_st, OpenSslDeleter>;
using ProviderPtr = std::unique_ptr<ossl_provider_st, OpenSslDeleter>;
using EvpCipherPtr = std::unique_ptr<evp_cipher_st, OpenSslDeleter>;
using EvpContextPtr = std::unique_ptr<evp_cipher_ctx_st, OpenSslDeleter>;
using EvpDigestPtr = std::unique_ptr<evp_md_st, OpenSslDeleter>;
using EvpDigestContextPtr = std::unique_ptr<evp_md_ctx_st, OpenSslDeleter>;
using EvpMacPtr = std::unique_ptr<evp_mac_st, OpenSslDeleter>;
using EvpMacContextPtr = std::unique_ptr<evp_mac_ctx_st, OpenSslDeleter>;
using EvpKeyPtr = std::unique_ptr<evp_pkey_st, OpenSslDeleter>;
using EvpKeyContextPtr = std::unique_ptr<evp_pkey_ctx_st, OpenSslDeleter>;

}  // namespace sealane::crypto
