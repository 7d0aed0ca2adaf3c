// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder: the answers of plain OpenSSL, one call on one buffer with a new
// context each time, in OpenSSL's default library context. It shares no code with the engine. Pure
// functions; a failure of OpenSSL ends the test process.
#pragma once

#include <cstdint>
#include <vector>

#include "sealane/crypto/algorithm.h"

namespace sealane::crypto {

using Bytes = std::vector<uint8_t>;

// For kDes3Ctr: the payload xor the ECB encryption of its counters, each written out.
Bytes ReferenceCrypt(CipherAlgorithm algorithm, Direction direction, const Bytes& key,
                     const Bytes& iv, const Bytes& in);

// `num_blocks` counter blocks from `first` on, each one more than the one before as a big-endian
// number as long as `first`, each encrypted by EVP in ECB mode. The key length says which AES; a
// counter of 8 bytes means Triple DES.
Bytes EncryptedCounters(const Bytes& key, const Bytes& first, size_t num_blocks);

}  // namespace sealane::crypto
