// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/op.h"

namespace sealane::crypto {
namespace {

bool IsWithin(const PayloadRange& range, uint64_t len) {
  return range.offset <= len && range.len <= len - range.offset;
}

bool IsCipherOp(CipherAlgorithm cipher, const Op& op, uint64_t cipher_len) {
  return op.iv_len == Traits(cipher).iv_len && IsValidPayloadLen(cipher, cipher_len) &&
         op.out_len == op.len;
}

bool IsChainOp(const SessionInfo& info, const Op& op) {
  if (!IsWithin(op.cipher_range, op.len) || !IsWithin(op.hash_range, op.len)) return false;
  if (!IsCipherOp(info.cipher, op, op.cipher_range.len)) return false;
  const uint64_t hashed = op.aad_len + op.hash_range.len;
  return !info.has_mac || IsValidPayloadLen(info.mac, hashed);
}

bool IsAeadOp(const SessionInfo& info, const Op& op) {
  const AeadTraits& traits = Traits(info.aead);
  if (op.iv_len < traits.min_iv_len || op.iv_len > traits.max_iv_len) return false;
  // CCM counts the payload in 15 - iv_len bytes (SP 800-38C, A.1).
  if (info.aead == AeadAlgorithm::kAesCcm && op.iv_len == 13 && op.len > 0xffff) return false;
  return op.out_len == op.len;
}

}  // namespace

bool IsValidOp(const SessionInfo& info, const Op& op) {
  if (op.len > kMaxPayload || op.aad_len > kMaxPayload) return false;
  switch (info.kind) {
    case SessionKind::kCipher:
      return IsCipherOp(info.cipher, op, op.len);
    case SessionKind::kChain:
      return IsChainOp(info, op);
    case SessionKind::kHash:
      return op.out_len == info.result_len;
    case SessionKind::kMac:
      return op.out_len == info.result_len && IsValidPayloadLen(info.mac, op.len);
    case SessionKind::kAead:
      return IsAeadOp(info, op);
    case SessionKind::kAkcipher:
      return op.len <= kMaxAkcipherPayload && op.aad_len <= kMaxAkcipherPayload &&
             op.out_len <= kMaxAkcipherPayload;
  }
  return false;
}

}  // namespace sealane::crypto
