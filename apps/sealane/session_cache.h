// SPDX-License-Identifier: Apache-2.0
//
// SessionCache: the device's sessions for the keys used last, one for each algorithm, key and
// direction. Bounded: the one unused for longest is closed. One thread; the driver outlives it.
#pragma once

#include <cstddef>
#include <list>
#include <span>
#include <string>
#include <string_view>

#include "sealane/base/secret.h"
#include "sealane/driver/crypto_driver.h"

namespace sealane::cli {

class SessionCache {
 public:
  SessionCache(driver::CryptoDriver& driver, size_t capacity)
      : driver_(driver), capacity_(capacity) {}

  // The session for this key and label, made with `params` if there is none yet. The label names
  // all of the parameters but the key.
  driver::Outcome<driver::SessionId> Get(std::string_view label, std::span<const uint8_t> key,
                                         const driver::SessionParams& params);

  // The device does not know this session any more.
  void Forget(driver::SessionId session);

 private:
  struct Entry {
    std::string label;
    driver::Service service;
    SecretBytes key;
    driver::SessionId session;
  };
  driver::Outcome<driver::SessionId> Create(const driver::SessionParams& params);
  void CloseOldest();

  driver::CryptoDriver& driver_;
  const size_t capacity_;
  std::list<Entry> entries_;  // the one used last comes first
};

}  // namespace sealane::cli
