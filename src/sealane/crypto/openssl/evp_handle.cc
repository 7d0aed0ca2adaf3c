// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/evp_handle.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

namespace sealane::crypto {

void OpenSslDeleter::operator()(ossl_lib_ctx_st* library) const { OSSL_LIB_CTX_free(library); }

void OpenSslDeleter::operator()(ossl_provider_st* provider) const {
  OSSL_PROVIDER_unload(provider);
}

void OpenSslDeleter::operator()(evp_cipher_st* cipher) const { EVP_CIPHER_free(cipher); }

void OpenSslDeleter::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

void OpenSslDeleter::operator()(evp_md_st* digest) const { EVP_MD_free(digest); }

void OpenSslDeleter::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

void OpenSslDeleter::operator()(evp_mac_st* mac) const { EVP_MAC_free(mac); }

void OpenSslDeleter::operator()(evp_mac_ctx_st* context) const { EVP_MAC_CTX_free(context); }

void OpenSslDeleter::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

void OpenSslDeleter::operator()(evp_pkey_ctx_st* context) const { EVP_PKEY_CTX_free(context); }

}  // namespace sealane::crypto
