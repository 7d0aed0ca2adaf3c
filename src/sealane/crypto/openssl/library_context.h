// SPDX-License-Identifier: Apache-2.0
//
// LibraryContext: an OpenSSL library context of our own with the providers that we use, so that no
// configuration file or other user of OpenSSL in this process changes what is found. Outlives
// everything fetched from it. Any thread.
#pragma once

#include "sealane/base/result.h"
#include "sealane/crypto/openssl/evp_handle.h"

namespace sealane::crypto {

class LibraryContext {
 public:
  // With the legacy provider, if that is wanted and there is one.
  static Result<LibraryContext> Create(bool enable_legacy);

  ossl_lib_ctx_st* get() const { return library_.get(); }

 private:
  LibraryContext(LibraryPtr library, ProviderPtr provider, ProviderPtr legacy);

  // In this order, since members are destroyed from the last to the first.
  LibraryPtr library_;
  ProviderPtr provider_;
  ProviderPtr legacy_;
};

}  // namespace sealane::crypto
