// SPDX-License-Identifier: Apache-2.0
//
// Frontend: the driver's side of vhost-user: typed calls over one connection. The back-end is not
// trusted: replies are checked in form, and every call ends by its deadline. With REPLY_ACK
// negotiated each call waits for the acknowledgement, so its result is the back-end's. After a
// failed exchange (not after a mere refusal) the stream cannot be trusted and every later call
// gives kBroken.
//
// No locks: one thread at a time. Callers that share a Frontend hold their own lock over each call.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "sealane/base/result.h"
#include "sealane/base/secret.h"
#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/connection.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/vhost_user/request.h"

namespace sealane::vhost_user {

// A memory region that is handed over, and its descriptor, which stays the caller's.
struct SharedRegion {
  wire::vhost_user_memory_region region{};
  int fd = -1;
};

class Frontend {
 public:
  static constexpr std::chrono::milliseconds kDefaultTimeout{5000};

  static Result<Frontend> Connect(const std::string& path,
                                  std::chrono::milliseconds timeout = kDefaultTimeout);

  // Over a socket that is connected already.
  explicit Frontend(Connection connection, std::chrono::milliseconds timeout = kDefaultTimeout)
      : connection_(std::move(connection)), timeout_(timeout) {}

  // Every call: kInvalid if the back-end refused (where it has a way to say so), kTimeout, kClosed,
  // kBroken or kSystem if the exchange failed.
  Result<uint64_t> GetFeatures();
  Result<void> SetFeatures(uint64_t features);
  Result<uint64_t> GetProtocolFeatures();
  Result<void> SetProtocolFeatures(uint64_t features);
  Result<void> SetOwner();
  Result<uint64_t> GetQueueNum();

  // Reads out.size() bytes, at most wire::kMaxVhostUserConfigSize, of configuration space.
  Result<void> GetConfig(uint32_t offset, std::span<uint8_t> out);
  Result<void> SetConfig(uint32_t offset, std::span<const uint8_t> bytes);

  // At most wire::kMaxMemRegionsPerMessage regions.
  Result<void> SetMemTable(std::span<const SharedRegion> regions);
  Result<uint64_t> GetMaxMemSlots();
  Result<void> AddMemReg(const SharedRegion& region);
  Result<void> RemMemReg(const wire::vhost_user_memory_region& region);

  Result<void> SetVringNum(uint32_t index, uint32_t num);
  Result<void> SetVringAddr(const request::SetVringAddr& addr);
  Result<void> SetVringBase(uint32_t index, uint32_t base);
  // Also stops the ring.
  Result<uint32_t> GetVringBase(uint32_t index);
  // fd -1: none (the back-end polls, or does not signal). Indexes up to 255.
  Result<void> SetVringKick(uint32_t index, int fd);
  Result<void> SetVringCall(uint32_t index, int fd);
  Result<void> SetVringErr(uint32_t index, int fd);
  Result<void> SetVringEnable(uint32_t index, bool enable);

  // The session id. Negative: the back-end refused, by custom with a virtio status negated.
  Result<int64_t> CreateCryptoSession(const CryptoSessionDescription& description);
  // Never acknowledged, just as QEMU sends it.
  Result<void> CloseCryptoSession(uint64_t session_id);

  Result<void> SetStatus(uint8_t status);
  Result<uint64_t> GetStatus();
  Result<void> ResetDevice();

  // What SetProtocolFeatures set.
  uint64_t protocol_features() const { return protocol_features_; }
  int fd() const { return connection_.fd(); }

 private:
  enum class Expect : uint8_t { kNothing, kAckIfNegotiated, kReply };

  // Sends one request and reads what it expects; an acknowledgement is checked and not returned.
  Result<SecretBytes> Exchange(uint32_t request, std::span<const uint8_t> payload,
                               std::span<const int> fds, Expect expect);
  Result<SecretBytes> ReceiveReply(uint32_t request, const WaitLimits& limits);
  Result<void> Command(uint32_t request, std::span<const uint8_t> payload,
                       std::span<const int> fds = {});
  Result<void> VringFd(uint32_t request, uint32_t index, int fd);
  Result<uint64_t> QueryU64(uint32_t request);
  Error Broken(const Error& error);

  Connection connection_;
  std::chrono::milliseconds timeout_;
  uint64_t protocol_features_ = 0;
  bool broken_ = false;
};

}  // namespace sealane::vhost_user
