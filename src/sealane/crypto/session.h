// SPDX-License-Identifier: Apache-2.0
//
// SessionParams: what a session is made from. Session: a key ready for use, made by an engine,
// immutable, shared by whoever still needs it; the last one to let go wipes the key. Any thread.
#pragma once

#include "sealane/base/secret.h"
#include "sealane/crypto/algorithm.h"

namespace sealane::crypto {

struct SessionParams {
  CipherAlgorithm algorithm = CipherAlgorithm::kAesCbc;
  Direction direction = Direction::kEncrypt;
  SecretBytes key;
};

class Session {
 public:
  Session(CipherAlgorithm algorithm, Direction direction)
      : algorithm_(algorithm), direction_(direction) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  CipherAlgorithm algorithm() const { return algorithm_; }
  Direction direction() const { return direction_; }

 private:
  const CipherAlgorithm algorithm_;
  const Direction direction_;
};

}  // namespace sealane::crypto
