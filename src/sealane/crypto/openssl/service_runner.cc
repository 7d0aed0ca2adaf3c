// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/service_runner.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/evp_handle.h"

namespace sealane::crypto {
namespace {

constexpr std::array<const char*, kNumHashAlgorithms> kHashNames = {
    "MD5",      "SHA1",     "SHA224",   "SHA256",   "SHA384",   "SHA512",
    "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512", "SHAKE128", "SHAKE256"};

Bytes First(Bytes bytes, size_t len) {
  bytes.resize(len);
  return bytes;
}

Bytes QuickMac(const char* mac, const char* sub_algorithm, const Bytes& key, const Bytes& message) {
  Bytes result(EVP_MAX_MD_SIZE);
  size_t len = 0;
  SL_CHECK(EVP_Q_mac(nullptr, mac, nullptr, sub_algorithm, nullptr, key.data(), key.size(),
                     message.data(), message.size(), result.data(), result.size(),
                     &len) != nullptr);
  return First(std::move(result), len);
}

std::string AesName(size_t key_len, const char* mode) {
  return "AES-" + std::to_string(8 * key_len) + "-" + mode;
}

}  // namespace

size_t OutLen(const SessionInfo& info, size_t src_len) {
  const bool is_digest = info.kind == SessionKind::kHash || info.kind == SessionKind::kMac;
  return is_digest ? info.result_len : src_len;
}

ServiceOutput RunService(Lane& lane, LaneSession& session, const SessionInfo& info,
                         const ServiceInput& input) {
  Bytes src = input.src;
  Bytes aad = input.aad;
  ServiceOutput output;
  output.dst.resize(OutLen(info, src.size()));
  const std::array<Segment, 1> src_piece = {Segment{src.data(), src.size()}};
  const std::array<Segment, 1> dst_piece = {Segment{output.dst.data(), output.dst.size()}};
  const std::array<Segment, 1> aad_piece = {Segment{aad.data(), aad.size()}};
  Op op = MakeOp(session, input.iv);
  op.src = src_piece;
  op.dst = dst_piece;
  op.aad = aad_piece;
  op.len = src.size();
  op.out_len = output.dst.size();
  op.aad_len = aad.size();
  op.cipher_range = input.cipher_range;
  op.hash_range = input.hash_range;
  std::ranges::copy(input.tag, op.tag.begin());
  const std::array<Op*, 1> ops = {&op};
  SL_CHECK(lane.Submit(ops) == 1);
  lane.Flush();
  std::array<Op*, 1> done{};
  SL_CHECK(lane.Poll(done) == 1 && done[0] == &op);
  output.status = op.status;
  const bool has_tag = info.kind == SessionKind::kChain || info.kind == SessionKind::kAead;
  if (has_tag) output.tag.assign(op.tag.begin(), op.tag.begin() + info.result_len);
  return output;
}

std::unique_ptr<LaneSession> OpenService(LaneRunner& runner, SessionParams params) {
  auto session = runner.engine().CreateSession(std::move(params));
  SL_CHECK(session.has_value());
  auto lane_session = runner.lane().OpenSession(*std::move(session));
  SL_CHECK(lane_session.has_value());
  return *std::move(lane_session);
}

Bytes ReferenceHash(HashAlgorithm algorithm, size_t result_len, const Bytes& message) {
  const char* const name = kHashNames[static_cast<size_t>(algorithm)];
  const EvpDigestPtr digest(EVP_MD_fetch(nullptr, name, nullptr));
  const EvpDigestContextPtr context(EVP_MD_CTX_new());
  Bytes result(std::max<size_t>(result_len, EVP_MAX_MD_SIZE));
  SL_CHECK(EVP_DigestInit_ex(context.get(), digest.get(), nullptr) == 1);
  SL_CHECK(EVP_DigestUpdate(context.get(), message.data(), message.size()) == 1);
  if (Traits(algorithm).digest_len == 0) {
    SL_CHECK(EVP_DigestFinalXOF(context.get(), result.data(), result_len) == 1);
  } else {
    SL_CHECK(EVP_DigestFinal_ex(context.get(), result.data(), nullptr) == 1);
  }
  return First(std::move(result), result_len);
}

Bytes ReferenceMac(MacAlgorithm algorithm, size_t result_len, const Bytes& key,
                   const Bytes& message) {
  if (algorithm <= MacAlgorithm::kHmacSha512) {
    const char* const name = kHashNames[static_cast<size_t>(algorithm)];
    return First(QuickMac("HMAC", name, key, message), result_len);
  }
  if (algorithm == MacAlgorithm::kCmacAes) {
    return First(QuickMac("CMAC", AesName(key.size(), "CBC").c_str(), key, message), result_len);
  }
  if (algorithm == MacAlgorithm::kCmacDes3) {
    return First(QuickMac("CMAC", "DES-EDE3-CBC", key, message), result_len);
  }
  SL_CHECK(algorithm == MacAlgorithm::kGmacAes);
  const ServiceInput input{.iv = Bytes(message.begin(), message.begin() + 12),
                           .aad = Bytes(message.begin() + 12, message.end()),
                           .src = {},
                           .tag = {}};
  return ReferenceAead(AeadAlgorithm::kAesGcm, result_len, key, input);
}

Bytes ReferenceAead(AeadAlgorithm algorithm, size_t tag_len, const Bytes& key,
                    const ServiceInput& input) {
  const bool is_ccm = algorithm == AeadAlgorithm::kAesCcm;
  const std::string name = algorithm == AeadAlgorithm::kChaCha20Poly1305
                               ? "ChaCha20-Poly1305"
                               : AesName(key.size(), is_ccm ? "CCM" : "GCM");
  const EvpCipherPtr cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
  const EvpContextPtr context(EVP_CIPHER_CTX_new());
  EVP_CIPHER_CTX* const ctx = context.get();
  const auto to_int = [](size_t size) { return static_cast<int>(size); };
  SL_CHECK(EVP_EncryptInit_ex(ctx, cipher.get(), nullptr, nullptr, nullptr) == 1);
  SL_CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, to_int(input.iv.size()), nullptr) ==
           1);
  if (is_ccm) {
    SL_CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, to_int(tag_len), nullptr) == 1);
  }
  SL_CHECK(EVP_EncryptInit_ex(ctx, nullptr, nullptr, key.data(), input.iv.data()) == 1);
  int len = 0;
  if (is_ccm) {
    SL_CHECK(EVP_EncryptUpdate(ctx, nullptr, &len, nullptr, to_int(input.src.size())) == 1);
  }
  if (!input.aad.empty()) {
    SL_CHECK(EVP_EncryptUpdate(ctx, nullptr, &len, input.aad.data(), to_int(input.aad.size())) ==
             1);
  }
  Bytes out(input.src.size() + 16);
  const Bytes src = input.src.empty() ? Bytes(1) : input.src;  // never null
  SL_CHECK(EVP_EncryptUpdate(ctx, out.data(), &len, src.data(), to_int(input.src.size())) == 1);
  SL_CHECK(EVP_EncryptFinal_ex(ctx, out.data() + len, &len) == 1);
  Bytes tag(16);
  SL_CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, to_int(tag_len), tag.data()) == 1);
  out.resize(input.src.size());
  out.insert(out.end(), tag.begin(), tag.begin() + static_cast<std::ptrdiff_t>(tag_len));
  return out;
}

}  // namespace sealane::crypto
