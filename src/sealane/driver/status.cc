// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/status.h"

#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {

static_assert(static_cast<uint8_t>(Status::kOk) == wire::VIRTIO_CRYPTO_OK);
static_assert(static_cast<uint8_t>(Status::kError) == wire::VIRTIO_CRYPTO_ERR);
static_assert(static_cast<uint8_t>(Status::kBadMessage) == wire::VIRTIO_CRYPTO_BADMSG);
static_assert(static_cast<uint8_t>(Status::kNotSupported) == wire::VIRTIO_CRYPTO_NOTSUPP);
static_assert(static_cast<uint8_t>(Status::kInvalidSession) == wire::VIRTIO_CRYPTO_INVSESS);
static_assert(static_cast<uint8_t>(Status::kNoSpace) == wire::VIRTIO_CRYPTO_NOSPC);
static_assert(static_cast<uint8_t>(Status::kKeyRejected) == wire::VIRTIO_CRYPTO_KEY_REJECTED);

const char* ToString(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kError:
      return "err";
    case Status::kBadMessage:
      return "badmsg";
    case Status::kNotSupported:
      return "notsupp";
    case Status::kInvalidSession:
      return "invsess";
    case Status::kNoSpace:
      return "nospc";
    case Status::kKeyRejected:
      return "key_rejected";
    case Status::kPending:
      return "pending";
    case Status::kInvalidArgument:
      return "invalid_argument";
    case Status::kBadReply:
      return "bad_reply";
    case Status::kBroken:
      return "broken";
    case Status::kCanceled:
      return "canceled";
    case Status::kTimeout:
      return "timeout";
    case Status::kUnavailable:
      return "unavailable";
  }
  return "unknown";
}

}  // namespace sealane::driver
