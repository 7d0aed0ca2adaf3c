// SPDX-License-Identifier: Apache-2.0
//
// CipherSet: an OpenSSL library context of our own with its default provider, and every cipher that
// we use, fetched once. A fetch takes locks and searches by name, so none happens later; and no
// configuration file or other user of OpenSSL in this process changes what is found here. Owned by
// the engine, immutable; any thread.
#pragma once

#include <array>
#include <cstddef>

#include "sealane/base/result.h"
#include "sealane/crypto/algorithm.h"
#include "sealane/crypto/openssl/evp_handle.h"

namespace sealane::crypto {

class CipherSet {
 public:
  static Result<CipherSet> Create();

  // The cipher for a key of `key_len` bytes, or null if there is none. For kDes3Ctr it is the block
  // cipher (ECB) that des3_ctr.h builds upon.
  const evp_cipher_st* Find(CipherAlgorithm algorithm, size_t key_len) const;

  // Whether every key length of the algorithm has its cipher.
  bool Offers(CipherAlgorithm algorithm) const;

 private:
  static constexpr size_t kNumCiphers = 14;

  CipherSet(LibraryPtr library, ProviderPtr provider);

  // In this order, since members are destroyed from the last to the first.
  LibraryPtr library_;
  ProviderPtr provider_;
  std::array<EvpCipherPtr, kNumCiphers> ciphers_;
};

}  // namespace sealane::crypto
