// SPDX-License-Identifier: Apache-2.0
//
// Reply: what a back-end answers, as payload bytes, and the makers of every kind of payload. Pure
// functions. The reply to CREATE_CRYPTO_SESSION is made by EncodeCryptoSessionReply
// (crypto_session.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sealane/vhost_user/request.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::vhost_user {

// An empty payload says "done" to a request without a reply of its own; whether anything is sent
// then is for the dispatcher to decide.
struct Reply {
  std::vector<uint8_t> payload;
};

Reply DoneReply();
Reply U64Reply(uint64_t value);

// GET_VRING_BASE.
Reply VringStateReply(uint32_t index, uint32_t num);

// GET_CONFIG: `bytes` are request.size bytes from request.offset. To refuse, the handler returns an
// error: the dispatcher sends the empty payload that means so.
Reply ConfigReply(const request::GetConfig& request, std::span<const uint8_t> bytes);

// The header in front of a reply: flags are exactly REPLY | VERSION, as QEMU insists.
wire::vhost_user_header ReplyHeader(uint32_t request, size_t payload_size);

}  // namespace sealane::vhost_user
