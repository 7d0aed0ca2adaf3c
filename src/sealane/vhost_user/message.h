// SPDX-License-Identifier: Apache-2.0
//
// The vhost-user message: its raw form, and the parser from raw bytes to a Request. Syntax only:
// no sockets, no state, no side effects, so that the fuzzer and the tests see all of it. What
// arrives is hostile; whatever is accepted here has the right size and number of descriptors.
// Integers are native-endian (vhost-user.rst, "Message Specification").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/secret.h"
#include "sealane/base/unique_fd.h"
#include "sealane/vhost_user/request.h"
#include "sealane/wire/vhost_user.h"

namespace sealane::vhost_user {

// The largest payload accepted in either direction. The largest of the protocol's own is the crypto
// session (1072 bytes).
inline constexpr size_t kMaxPayloadSize = 4096;

// The most descriptors that one message may carry: one for each region of SET_MEM_TABLE.
inline constexpr size_t kMaxMessageFds = wire::kMaxMemRegionsPerMessage;

// One message as it came from the socket. Owns its descriptors. The payload is wiped on
// destruction, since that of CREATE_CRYPTO_SESSION holds keys.
struct RawMessage {
  wire::vhost_user_header header{};
  SecretBytes payload;
  std::vector<UniqueFd> fds;
};

// Whether the header can be a request: version 1, not a reply, no unknown flag. If not, nothing in
// the message can be believed, not even that an answer is wanted.
Result<void> CheckRequestHeader(const wire::vhost_user_header& header);

// Decodes one request. `payload` is the whole payload, `num_fds` the number of descriptors that
// came with it. Fails with kInvalid if the message breaks a rule of form.
Result<Request> ParseRequest(const wire::vhost_user_header& header,
                             std::span<const uint8_t> payload, size_t num_fds);

// Whether the protocol gives this request a reply of its own, so that NEED_REPLY adds none.
bool HasOwnReply(uint32_t request);

// Whether the front-end wants to be told how it went.
constexpr bool NeedsReply(const wire::vhost_user_header& header) {
  return (header.flags & wire::kVhostUserNeedReply) != 0;
}

}  // namespace sealane::vhost_user
