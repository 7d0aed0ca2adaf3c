// SPDX-License-Identifier: Apache-2.0
#include "session_cache.h"

#include <algorithm>

namespace sealane::cli {

using driver::Outcome;
using driver::SessionId;

Outcome<SessionId> SessionCache::Get(std::string_view label, std::span<const uint8_t> key,
                                     const driver::SessionParams& params) {
  const auto it = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.label == label && std::ranges::equal(entry.key.bytes(), key);
  });
  if (it != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, it);
    return it->session;
  }
  const auto session = Create(params);
  if (!session) return session.error();
  entries_.push_front({std::string(label), driver::ServiceOf(params), SecretBytes(key), *session});
  if (entries_.size() > capacity_) CloseOldest();
  return *session;
}

// A device with room for few sessions gets those back that only wait here.
Outcome<SessionId> SessionCache::Create(const driver::SessionParams& params) {
  auto session = driver_.CreateSession(params);
  if (session || session.error().status != driver::Status::kNoSpace || entries_.empty()) {
    return session;
  }
  while (!entries_.empty()) CloseOldest();
  return driver_.CreateSession(params);
}

void SessionCache::CloseOldest() {
  // If the device refuses, it has no such session, which is what was wanted.
  static_cast<void>(driver_.CloseSession(entries_.back().service, entries_.back().session));
  entries_.pop_back();
}

void SessionCache::Forget(SessionId session) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.session == session; });
}

}  // namespace sealane::cli
