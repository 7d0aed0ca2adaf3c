// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/akcipher_lane_session.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "sealane/base/secret.h"
#include "sealane/crypto/payload.h"

namespace sealane::crypto {
namespace {

// No result, and no input that can be right, is longer than the longest modulus.
constexpr size_t kMaxLen = kMaxRsaBits / 8;

// The context's wiping copy of what an operation reads or writes.
class WipedBuffer {
 public:
  ~WipedBuffer() { WipeBytes(bytes_); }
  std::span<uint8_t> first(size_t len) { return std::span(bytes_).first(len); }

 private:
  std::array<uint8_t, kMaxLen> bytes_{};
};

int Initialise(EVP_PKEY_CTX* context, AkcipherOp op) {
  switch (op) {
    case AkcipherOp::kEncrypt:
      return EVP_PKEY_encrypt_init(context);
    case AkcipherOp::kDecrypt:
      return EVP_PKEY_decrypt_init(context);
    case AkcipherOp::kSign:
      return EVP_PKEY_sign_init(context);
    case AkcipherOp::kVerify:
      return EVP_PKEY_verify_init(context);
  }
  return 0;
}

int Perform(EVP_PKEY_CTX* context, AkcipherOp op, std::span<const uint8_t> in, uint8_t* out,
            size_t* out_len) {
  switch (op) {
    case AkcipherOp::kEncrypt:
      return EVP_PKEY_encrypt(context, out, out_len, in.data(), in.size());
    case AkcipherOp::kDecrypt:
      return EVP_PKEY_decrypt(context, out, out_len, in.data(), in.size());
    case AkcipherOp::kSign:
      return EVP_PKEY_sign(context, out, out_len, in.data(), in.size());
    case AkcipherOp::kVerify:
      break;
  }
  return 0;
}

}  // namespace

AkcipherLaneSession::AkcipherLaneSession(std::shared_ptr<const OpenSslSession> session)
    : OpenSslLaneSession(std::move(session)),
      params_(std::get<AkcipherParams>(this->session().params())),
      is_rsa_(params_.algorithm == AkcipherAlgorithm::kRsa) {}

Result<std::unique_ptr<OpenSslLaneSession>> AkcipherLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  return std::unique_ptr<OpenSslLaneSession>(new AkcipherLaneSession(std::move(session)));
}

bool AkcipherLaneSession::SetPadding(evp_pkey_ctx_st* context, AkcipherOp op) const {
  if (!is_rsa_) return true;
  const bool is_raw = params_.padding == RsaPadding::kRaw;
  if (EVP_PKEY_CTX_set_rsa_padding(context, is_raw ? RSA_NO_PADDING : RSA_PKCS1_PADDING) != 1) {
    return false;
  }
  const bool signs = op == AkcipherOp::kSign || op == AkcipherOp::kVerify;
  if (!signs || !params_.has_hash) return true;
  return EVP_PKEY_CTX_set_signature_md(context, session().algorithms().digest) == 1;
}

EvpKeyContextPtr AkcipherLaneSession::MakeContext(AkcipherOp op) const {
  const bool needs_private = op == AkcipherOp::kDecrypt || op == AkcipherOp::kSign;
  const bool signs = op == AkcipherOp::kSign || op == AkcipherOp::kVerify;
  if (needs_private && !params_.is_private) return nullptr;
  // Raw RSA does not sign (5.9.7.2.1.5), and ECDSA does nothing else.
  if (is_rsa_ ? signs && params_.padding == RsaPadding::kRaw : !signs) return nullptr;
  EvpKeyContextPtr context(
      EVP_PKEY_CTX_new_from_pkey(session().library(), session().key(), nullptr));
  if (!context || Initialise(context.get(), op) != 1 || !SetPadding(context.get(), op)) {
    return nullptr;
  }
  return context;
}

Status AkcipherLaneSession::Run(Op& op, BounceBuffer& /*bounce*/) {
  if (op.len > kMaxLen || op.aad_len > kMaxLen) return Status::kError;
  WipedBuffer buffer;
  const auto in = buffer.first(static_cast<size_t>(op.len));
  GatherPayload(op.src, in);
  return op.akcipher_op == AkcipherOp::kVerify ? Verify(op, in) : Transform(op, in);
}

Status AkcipherLaneSession::Transform(Op& op, std::span<const uint8_t> in) {
  const EvpKeyContextPtr context = MakeContext(op.akcipher_op);
  if (!context) return Status::kError;
  const auto size = static_cast<size_t>(EVP_PKEY_get_size(session().key()));
  if (size > kMaxLen) return Status::kError;
  WipedBuffer padded_buffer;
  if (is_rsa_ && params_.padding == RsaPadding::kRaw) {
    // The operand is a number: shorter ones get leading zeros.
    if (in.size() > size) return Status::kError;
    const auto padded = padded_buffer.first(size);
    std::ranges::copy(in, padded.end() - static_cast<std::ptrdiff_t>(in.size()));
    in = padded;
  }
  WipedBuffer out;
  size_t out_len = size;
  if (Perform(context.get(), op.akcipher_op, in, out.first(size).data(), &out_len) != 1 ||
      out_len > op.out_len) {
    return Status::kError;
  }
  ScatterPayload(out.first(out_len), op.dst);
  op.out_len = out_len;
  return Status::kOk;
}

Status AkcipherLaneSession::Verify(const Op& op, std::span<const uint8_t> signature) {
  const EvpKeyContextPtr context = MakeContext(AkcipherOp::kVerify);
  if (!context) return Status::kError;
  WipedBuffer buffer;
  const auto digest = buffer.first(static_cast<size_t>(op.aad_len));
  GatherPayload(op.aad, digest);
  const bool is_right = EVP_PKEY_verify(context.get(), signature.data(), signature.size(),
                                        digest.data(), digest.size()) == 1;
  return is_right ? Status::kOk : Status::kKeyRejected;
}

}  // namespace sealane::crypto
