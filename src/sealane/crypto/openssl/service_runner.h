// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder: any operation of a session other than a cipher's, from plain bytes
// to plain bytes, by our engine and by OpenSSL's one-shot calls in its default library context,
// which share no code with the engine. One thread; a failure that no test is about ends the
// process.
#pragma once

#include <cstdint>
#include <vector>

#include "sealane/crypto/openssl/lane_runner.h"

namespace sealane::crypto {

// What goes into an operation and what comes out of it.
struct ServiceInput {
  Bytes iv{};
  Bytes aad{};
  Bytes src{};
  Bytes tag{};  // AEAD decryption
  PayloadRange cipher_range{};
  PayloadRange hash_range{};
};
struct ServiceOutput {
  Status status = Status::kOk;
  Bytes dst;
  Bytes tag;
  bool operator==(const ServiceOutput&) const = default;
};

// Bytes of destination that the op has.
size_t OutLen(const SessionInfo& info, size_t src_len);

// One piece each, separate.
ServiceOutput RunService(Lane& lane, LaneSession& session, const SessionInfo& info,
                         const ServiceInput& input);

std::unique_ptr<LaneSession> OpenService(LaneRunner& runner, SessionParams params);

Bytes ReferenceHash(HashAlgorithm algorithm, size_t result_len, const Bytes& message);
// HMAC, CMAC and GMAC (IV in front); not those that OpenSSL lacks.
Bytes ReferenceMac(MacAlgorithm algorithm, size_t result_len, const Bytes& key,
                   const Bytes& message);
// Encryption: ciphertext, then the tag.
Bytes ReferenceAead(AeadAlgorithm algorithm, size_t tag_len, const Bytes& key,
                    const ServiceInput& input);

}  // namespace sealane::crypto
