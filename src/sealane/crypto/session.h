// SPDX-License-Identifier: Apache-2.0
//
// SessionParams: what a session is made from, one kind for each of virtio-crypto's sessions.
// Session: a key ready for use, made by an engine, immutable, shared by whoever still needs it; the
// last one to let go wipes the key. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "sealane/base/secret.h"
#include "sealane/crypto/algorithm.h"
#include "sealane/crypto/status.h"

namespace sealane::crypto {

struct CipherParams {
  CipherAlgorithm algorithm = CipherAlgorithm::kAesCbc;
  Direction direction = Direction::kEncrypt;
  SecretBytes key;
};

struct HashParams {
  HashAlgorithm algorithm = HashAlgorithm::kSha256;
  uint32_t result_len = 0;  // bytes
};

struct MacParams {
  MacAlgorithm algorithm = MacAlgorithm::kHmacSha256;
  uint32_t result_len = 0;  // bytes
  SecretBytes key;
};

// A cipher and a hash or MAC over the same payload; op.h says of which bytes.
struct ChainParams {
  CipherParams cipher;
  std::variant<HashParams, MacParams> hash;
  bool hash_first = false;  // else the hash is that of the cipher's result
};

struct AeadParams {
  AeadAlgorithm algorithm = AeadAlgorithm::kAesGcm;
  Direction direction = Direction::kEncrypt;
  uint32_t tag_len = 0;  // bytes
  SecretBytes key;
};

enum class RsaPadding : uint8_t { kRaw, kPkcs1 };
enum class Curve : uint8_t { kP192, kP224, kP256, kP384, kP521 };

struct AkcipherParams {
  AkcipherAlgorithm algorithm = AkcipherAlgorithm::kRsa;
  bool is_private = false;
  // RSA: PKCS#1 DER of the kind that `is_private` says; a public one may be SPKI. ECDSA: SEC1 DER
  // if private, else the point or SPKI.
  SecretBytes key;
  RsaPadding padding = RsaPadding::kRaw;  // RSA
  // RSA with PKCS#1 padding: of what signatures are. Without one, what is signed is not a digest of
  // a known kind and is padded as it is.
  bool has_hash = false;
  HashAlgorithm hash = HashAlgorithm::kSha256;
  Curve curve = Curve::kP256;  // ECDSA
};

using SessionParams =
    std::variant<CipherParams, ChainParams, HashParams, MacParams, AeadParams, AkcipherParams>;

// In the order of the variant.
enum class SessionKind : uint8_t { kCipher, kChain, kHash, kMac, kAead, kAkcipher };

// What a session is, without its keys. Of the algorithms only those that the kind has count.
struct SessionInfo {
  SessionKind kind = SessionKind::kCipher;
  Direction direction = Direction::kEncrypt;  // cipher, chain, AEAD
  CipherAlgorithm cipher = CipherAlgorithm::kAesCbc;
  HashAlgorithm hash = HashAlgorithm::kSha256;
  MacAlgorithm mac = MacAlgorithm::kHmacSha256;
  AeadAlgorithm aead = AeadAlgorithm::kAesGcm;
  AkcipherAlgorithm akcipher = AkcipherAlgorithm::kRsa;
  bool has_mac = false;       // chain: `mac` counts, not `hash`
  bool hash_first = false;    // chain
  bool is_private = false;    // akcipher
  uint32_t key_len = 0;       // bytes; of a chain's cipher
  uint32_t auth_key_len = 0;  // bytes; MAC, chain
  uint32_t result_len = 0;    // bytes of digest, MAC or tag
};

SessionInfo InfoOf(const SessionParams& params);

// What every engine asks of parameters, whatever it offers: kOk, or kError for a length that the
// algorithm does not have, for XTS with two equal halves (FIPS 140-2 IG A.9), or for a chain whose
// MAC takes an IV or whose digest is longer than kMaxTagLen.
Status CheckParams(const SessionParams& params);

class Session {
 public:
  explicit Session(const SessionInfo& info) : info_(info) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const SessionInfo& info() const { return info_; }

 private:
  const SessionInfo info_;
};

}  // namespace sealane::crypto
