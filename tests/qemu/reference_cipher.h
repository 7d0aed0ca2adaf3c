// SPDX-License-Identifier: Apache-2.0
//
// What OpenSSL makes of the same bytes: the third opinion of the oracle. Pure function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sealane::testing {

// `name` is OpenSSL's, as "AES-128-CBC"; the length must suit it, nothing is padded.
std::vector<uint8_t> OpensslCipher(const std::string& name, bool encrypt,
                                   std::span<const uint8_t> key, std::span<const uint8_t> iv,
                                   std::span<const uint8_t> in);

}  // namespace sealane::testing
