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

}  // namespace sealane::crypto
