// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/library_context.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>

#include <utility>

namespace sealane::crypto {

LibraryContext::LibraryContext(LibraryPtr library, ProviderPtr provider, ProviderPtr legacy)
    : library_(std::move(library)), provider_(std::move(provider)), legacy_(std::move(legacy)) {}

Result<LibraryContext> LibraryContext::Create(bool enable_legacy) {
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
  ProviderPtr legacy(enable_legacy ? OSSL_PROVIDER_load(library.get(), "legacy") : nullptr);
  ERR_clear_error();  // without it, what it has is not offered
  return LibraryContext(std::move(library), std::move(provider), std::move(legacy));
}

}  // namespace sealane::crypto
