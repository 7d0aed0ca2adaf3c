// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/chain_lane_session.h"

#include <cstring>
#include <utility>
#include <variant>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {

Result<std::unique_ptr<OpenSslLaneSession>> ChainLaneSession::Create(
    std::shared_ptr<const OpenSslSession> session) {
  const auto& params = std::get<ChainParams>(session->params());
  const SessionAlgorithms& algorithms = session->algorithms();
  SL_ASSIGN_OR_RETURN(CipherContext cipher,
                      CipherContext::Create(params.cipher, algorithms.cipher));
  const auto* hash = std::get_if<HashParams>(&params.hash);
  SL_ASSIGN_OR_RETURN(auto digest,
                      hash != nullptr
                          ? MakeHashContext(*hash, algorithms.digest)
                          : MakeMacContext(std::get<MacParams>(params.hash), algorithms.mac));
  return std::unique_ptr<OpenSslLaneSession>(
      new ChainLaneSession(std::move(session), std::move(cipher), std::move(digest)));
}

Status ChainLaneSession::Run(Op& op, BounceBuffer& bounce) {
  const PayloadPair pair(op, bounce);
  if (!pair.is_there()) return Status::kError;
  if (info().hash_first && !Digest(op, pair.in())) return Status::kError;
  if (!Crypt(op, pair.in(), pair.out())) return Status::kError;
  if (!info().hash_first && !Digest(op, pair.out())) return Status::kError;
  pair.Deliver();
  return Status::kOk;
}

bool ChainLaneSession::Crypt(const Op& op, const uint8_t* in, uint8_t* out) {
  const size_t begin = op.cipher_range.offset;
  const size_t len = op.cipher_range.len;
  const size_t end = begin + len;
  if (in != out) {
    if (begin != 0) std::memcpy(out, in, begin);
    if (end != op.len) std::memcpy(out + end, in + end, static_cast<size_t>(op.len) - end);
  }
  return len == 0 || cipher_.Crypt(op.iv, in + begin, out + begin, len);
}

bool ChainLaneSession::Digest(Op& op, const uint8_t* bytes) {
  if (!digest_->Begin()) return false;
  for (const Segment& segment : op.aad) {
    if (!digest_->Update({segment.data, segment.size})) return false;
  }
  const size_t len = op.hash_range.len;
  if (len != 0 && !digest_->Update({bytes + op.hash_range.offset, len})) return false;
  return digest_->Finish(std::span(op.tag).first(info().result_len));
}

}  // namespace sealane::crypto
