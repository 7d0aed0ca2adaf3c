// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/aead_lane_session.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>
#include <utility>
#include <variant>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {
namespace {

void ZeroDestination(const Op& op) {
  for (const Segment& segment : op.dst) {
    if (segment.size != 0) std::memset(segment.data, 0, segment.size);
  }
}

}  // namespace

Result<std::unique_ptr<OpenSslLaneSession>> AeadLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  EvpContextPtr context(EVP_CIPHER_CTX_new());
  std::unique_ptr<AeadLaneSession> made(
      new AeadLaneSession(std::move(session), std::move(context)));
  // The usual IV; one of another length costs CCM a new key schedule.
  constexpr size_t kUsualIvLen = 12;
  if (!made->context_ || !made->SetKey(kUsualIvLen)) {
    ERR_clear_error();
    return Error{ErrorCode::kNoSpace, "OpenSSL made no cipher context"};
  }
  return made;
}

// CCM's first block depends on the lengths of IV and tag, which go in before the key.
bool AeadLaneSession::SetKey(size_t iv_len) {
  const auto& params = std::get<AeadParams>(session().params());
  const int direction = encrypts_ ? 1 : 0;
  EVP_CIPHER_CTX* const context = context_.get();
  if (EVP_CipherInit_ex2(context, session().algorithms().cipher, nullptr, nullptr, direction,
                         nullptr) != 1 ||
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(iv_len), nullptr) !=
          1) {
    return false;
  }
  if (is_ccm_ && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG,
                                     static_cast<int>(params.tag_len), nullptr) != 1) {
    return false;
  }
  iv_len_ = iv_len;
  return EVP_CipherInit_ex2(context, nullptr, params.key.bytes().data(), nullptr, direction,
                            nullptr) == 1;
}

Status AeadLaneSession::Run(Op& op, BounceBuffer& bounce) {
  const PayloadPair pair(op, bounce);
  if (!pair.is_there()) return Status::kError;
  const Status status = RunOn(op, pair.in(), pair.out());
  aad_bounce_.Trim();
  if (status == Status::kOk) {
    pair.Deliver();
  } else if (status == Status::kBadMessage) {
    // Nothing of what did not authenticate may be seen.
    ZeroDestination(op);
  }
  return status;
}

Status AeadLaneSession::RunOn(Op& op, const uint8_t* in, uint8_t* out) {
  if (!Begin(op)) return Status::kError;
  const auto len = static_cast<size_t>(op.len);
  if (is_ccm_) {
    int written = 0;
    if (EVP_CipherUpdate(context_.get(), nullptr, &written, nullptr, static_cast<int>(len)) != 1) {
      return Status::kError;
    }
  }
  if (!AddAad(op)) return Status::kError;
  // CCM authenticates while it decrypts, the others at the end.
  const Status refused = encrypts_ ? Status::kError : Status::kBadMessage;
  if (!Crypt(in, out, len)) return is_ccm_ ? refused : Status::kError;
  return Finish(op) ? Status::kOk : refused;
}

bool AeadLaneSession::Begin(Op& op) {
  if (is_ccm_ && op.iv_len != iv_len_ && !SetKey(op.iv_len)) return false;
  if (!encrypts_ && EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG,
                                        static_cast<int>(info().result_len), op.tag.data()) != 1) {
    return false;
  }
  return EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, op.iv.data(), -1, nullptr) == 1;
}

bool AeadLaneSession::AddAad(const Op& op) {
  if (op.aad_len == 0) return true;
  int written = 0;
  const auto add = [&](const uint8_t* bytes, size_t len) {
    return EVP_CipherUpdate(context_.get(), nullptr, &written, bytes, static_cast<int>(len)) == 1;
  };
  const PayloadShape shape = MeasurePayload(op.aad, op.aad_len);
  if (shape.contiguous) return add(shape.data, shape.size);
  if (is_ccm_) {
    const std::span<uint8_t> whole = aad_bounce_.Get(shape.size);
    if (whole.empty()) return false;
    GatherPayload(op.aad, whole);
    return add(whole.data(), whole.size());
  }
  for (const Segment& segment : op.aad) {
    if (segment.size != 0 && !add(segment.data, segment.size)) return false;
  }
  return true;
}

bool AeadLaneSession::Crypt(const uint8_t* in, uint8_t* out, size_t len) {
  // CCM makes its tag here, also of nothing. The others need no call for nothing.
  if (len == 0 && !is_ccm_) return true;
  std::array<uint8_t, 1> nothing{};
  int written = 0;
  return EVP_CipherUpdate(context_.get(), len == 0 ? nothing.data() : out, &written,
                          len == 0 ? nothing.data() : in, static_cast<int>(len)) == 1 &&
         written == static_cast<int>(len);
}

bool AeadLaneSession::Finish(Op& op) {
  std::array<uint8_t, EVP_MAX_BLOCK_LENGTH> rest;
  int written = 0;
  // CCM has compared already, and OpenSSL has nothing to finish.
  if (is_ccm_ && !encrypts_) return true;
  if (EVP_CipherFinal_ex(context_.get(), rest.data(), &written) != 1) return false;
  return !encrypts_ || EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG,
                                           static_cast<int>(info().result_len), op.tag.data()) == 1;
}

}  // namespace sealane::crypto
