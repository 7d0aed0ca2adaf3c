// SPDX-License-Identifier: Apache-2.0
//
// SessionCache: the device's sessions for the keys used last, one for each cipher, key and
// direction. Bounded: the one unused for longest is closed. One thread; the driver outlives it.
#pragma once

#include <cstddef>
#include <list>
#include <span>

#include "cipher_names.h"
#include "sealane/base/secret.h"
#include "sealane/driver/crypto_driver.h"

namespace sealane::cli {

class SessionCache {
 public:
  SessionCache(driver::CryptoDriver& driver, size_t capacity)
      : driver_(driver), capacity_(capacity) {}

  // The session for this key, made if there is none yet.
  driver::Outcome<driver::SessionId> Get(const Cipher& cipher, driver::Operation direction,
                                         std::span<const uint8_t> key);

  // The device does not know this session any more.
  void Forget(driver::SessionId session);

 private:
  struct Entry {
    const Cipher* cipher;
    driver::Operation direction;
    SecretBytes key;
    driver::SessionId session;
  };
  driver::Outcome<driver::SessionId> Create(const driver::CipherSessionParams& params);
  void CloseOldest();

  driver::CryptoDriver& driver_;
  const size_t capacity_;
  std::list<Entry> entries_;  // the one used last comes first
};

}  // namespace sealane::cli
