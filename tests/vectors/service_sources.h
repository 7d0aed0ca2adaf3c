// SPDX-License-Identifier: Apache-2.0
//
// Published vectors of hashes, MACs and AEAD, from the folders that tools/fetch_vectors.sh fills.
// Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <vector>

#include "sealane/driver/request.h"
#include "sealane/testing/cipher_vector.h"

namespace sealane::vectors {

struct ServiceVector {
  std::string algorithm;  // as in `sealane run`
  driver::RequestKind kind = driver::RequestKind::kHash;
  uint32_t number = 0;  // VIRTIO_CRYPTO_HASH_*, _MAC_*, _AEAD_*
  testing::Bytes key{};
  testing::Bytes iv{};
  testing::Bytes aad{};
  testing::Bytes src{};     // message or plaintext
  testing::Bytes result{};  // digest, MAC or ciphertext
  testing::Bytes tag{};
  bool is_authentic = true;  // AEAD: else decryption must refuse, and there is no plaintext
  std::string origin{};      // "file:line"
};

struct ServiceVectors {
  std::vector<ServiceVector> vectors{};
  std::map<std::string, size_t> skipped{};  // by reason
};

// The error is a sentence that names file and line.
std::expected<ServiceVectors, std::string> LoadServiceVectors(const std::string& cache);

}  // namespace sealane::vectors
