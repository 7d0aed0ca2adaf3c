// SPDX-License-Identifier: Apache-2.0
//
// Request: one vhost-user request that a back-end understands, decoded and checked in form (QEMU
// docs/interop/vhost-user.rst, "Front-end message types"). Descriptors are not part of it: they
// travel beside the request, in the order of the message, and ParseRequest has already checked
// their number. Whether an index, an address or an algorithm makes sense is the handler's to judge.
// Plain values; move-only because of the key in CreateCryptoSession.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "sealane/base/secret.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::vhost_user {

namespace request {

struct GetFeatures {};
struct SetFeatures {
  uint64_t features = 0;
};
struct SetOwner {};
struct ResetOwner {};

// One descriptor for each region, in the same order.
struct SetMemTable {
  std::vector<wire::vhost_user_memory_region> regions;
};
// One descriptor.
struct AddMemReg {
  wire::vhost_user_memory_region region{};
};
// No descriptor, or one that means nothing.
struct RemMemReg {
  wire::vhost_user_memory_region region{};
};
struct GetMaxMemSlots {};

struct SetVringNum {
  uint32_t index = 0;
  uint32_t num = 0;
};
struct SetVringAddr {
  uint32_t index = 0;
  uint32_t flags = 0;
  mem::FrontendAddr desc{};
  mem::FrontendAddr used{};
  mem::FrontendAddr avail{};
  uint64_t log_guest_addr = 0;
};
struct SetVringBase {
  uint32_t index = 0;
  uint32_t base = 0;  // split ring: the next avail index; packed: also the used index and wraps
};
struct GetVringBase {
  uint32_t index = 0;
};
// One descriptor if has_fd, else none.
struct SetVringKick {
  uint32_t index = 0;
  bool has_fd = false;
};
struct SetVringCall {
  uint32_t index = 0;
  bool has_fd = false;
};
struct SetVringErr {
  uint32_t index = 0;
  bool has_fd = false;
};
struct SetVringEnable {
  uint32_t index = 0;
  bool enable = false;
};

struct GetProtocolFeatures {};
struct SetProtocolFeatures {
  uint64_t features = 0;
};
struct GetQueueNum {};
// One descriptor: the socket for requests of the back-end's own.
struct SetBackendReqFd {};

struct GetConfig {
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t flags = 0;
};
struct SetConfig {
  uint32_t offset = 0;
  uint32_t flags = 0;
  std::vector<uint8_t> bytes;
};

// The payload in whatever layout the front-end has: DecodeCryptoSession reads it and
// EncodeCryptoSessionReply answers it. A bad one is answered, it does not end the connection.
struct CreateCryptoSession {
  SecretBytes payload;
};
struct CloseCryptoSession {
  uint64_t session_id = 0;
};

struct ResetDevice {};
struct SetStatus {
  uint8_t status = 0;
};
struct GetStatus {};

// Any other request. Its payload and descriptors were not looked at.
struct Unknown {
  uint32_t request = 0;
};

}  // namespace request

using Request =
    std::variant<request::GetFeatures, request::SetFeatures, request::SetOwner, request::ResetOwner,
                 request::SetMemTable, request::AddMemReg, request::RemMemReg,
                 request::GetMaxMemSlots, request::SetVringNum, request::SetVringAddr,
                 request::SetVringBase, request::GetVringBase, request::SetVringKick,
                 request::SetVringCall, request::SetVringErr, request::SetVringEnable,
                 request::GetProtocolFeatures, request::SetProtocolFeatures, request::GetQueueNum,
                 request::SetBackendReqFd, request::GetConfig, request::SetConfig,
                 request::CreateCryptoSession, request::CloseCryptoSession, request::ResetDevice,
                 request::SetStatus, request::GetStatus, request::Unknown>;

}  // namespace sealane::vhost_user
