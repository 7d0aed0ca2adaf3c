// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes what a hostile front-end reaches with one message: the parser, the session layouts and the
// dispatcher's policy. Input: one control byte, the 12-byte header, the payload. Control byte: bits
// 0-3 number of descriptors, bit 4 put the payload's size into the header, bit 5 the handler
// refuses, bit 6 REPLY_ACK is negotiated first.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/vhost_user/crypto_session.h"
#include "sealane/vhost_user/dispatcher.h"
#include "sealane/vhost_user/message.h"

namespace {

using namespace sealane;              // NOLINT(google-build-using-namespace)
using namespace sealane::vhost_user;  // NOLINT(google-build-using-namespace)

constexpr size_t kHeaderEnd = 1 + sizeof(wire::vhost_user_header);

class Agreeing : public Handler {
 public:
  explicit Agreeing(bool refuse) : refuse_(refuse) {}
  Result<Reply> Handle(const Request& request, std::vector<UniqueFd>) override {
    const bool negotiates = std::holds_alternative<request::SetProtocolFeatures>(request);
    if (refuse_ && !negotiates) return Error{ErrorCode::kUnsupported, "refused"};
    return U64Reply(0);
  }

 private:
  const bool refuse_;
};

// A description that decodes keeps its keys in bounds and survives being encoded again.
void CheckSession(std::span<const uint8_t> payload) {
  const auto description = DecodeCryptoSession(payload);
  const std::vector<uint8_t> reply = EncodeCryptoSessionReply(payload, -1);
  SL_CHECK(reply.size() >= payload.size() && reply.size() >= sizeof(int64_t));
  if (!description) return;
  SL_CHECK(reply.size() == CryptoPayloadSize(description->layout));
  SL_CHECK(DecodeCryptoSessionReply(description->layout, reply).value() == -1);
  const auto again = EncodeCryptoSession(*description);
  SL_CHECK(again.has_value() && again->size() == payload.size());
}

// A front-end that waits gets an answer or sees the connection closed.
void CheckDispatch(const wire::vhost_user_header& header, std::span<const uint8_t> payload,
                   uint8_t control) {
  Agreeing handler((control & 0x20) != 0);
  Dispatcher dispatcher(handler);
  const bool reply_ack = (control & 0x40) != 0;
  if (reply_ack) {
    RawMessage negotiation;
    negotiation.header = {
        .request = wire::VHOST_USER_SET_PROTOCOL_FEATURES, .flags = 1, .size = sizeof(uint64_t)};
    negotiation.payload = SecretBytes(U64Reply(8).payload);
    SL_CHECK(!dispatcher.Dispatch(std::move(negotiation)).close);
  }
  RawMessage message;
  message.header = header;
  message.payload = SecretBytes(payload);
  message.fds.resize(control & 0x0f);
  const auto outcome = dispatcher.Dispatch(std::move(message));
  const bool waits =
      HasOwnReply(header.request) ||
      (reply_ack && NeedsReply(header) && header.request != wire::VHOST_USER_SET_PROTOCOL_FEATURES);
  SL_CHECK(!waits || outcome.reply.has_value() || outcome.close);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> input(data, size);
  if (input.size() < kHeaderEnd) return 0;
  const uint8_t control = input[0];
  const std::span<const uint8_t> payload = input.subspan(kHeaderEnd);
  wire::vhost_user_header header{};
  std::memcpy(&header, input.subspan(1).data(), sizeof header);
  if ((control & 0x10) != 0) header.size = static_cast<uint32_t>(payload.size());

  [[maybe_unused]] const auto request = ParseRequest(header, payload, control & 0x0f);
  CheckSession(payload);
  CheckDispatch(header, payload, control);
  return 0;
}
