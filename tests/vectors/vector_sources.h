// SPDX-License-Identifier: Apache-2.0
//
// Every cipher vector that the vector tests run, by source: the folders of the cache that
// tools/fetch_vectors.sh fills, and the table of triple_des_ctr_vectors.h. Plain values; no
// threading rule.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <vector>

#include "sealane/testing/cipher_vector.h"

namespace sealane::vectors {

struct VectorSource {
  std::string name;  // a folder or file under the cache ("cavp/ciphers/AES/ECB"), or "table"
  size_t num_files = 0;
  testing::VectorFile content;
};

// The error is a sentence that names file and line.
std::expected<std::vector<VectorSource>, std::string> LoadVectorSources(const std::string& cache);

}  // namespace sealane::vectors
