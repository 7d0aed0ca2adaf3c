// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/op.h"

#include <gtest/gtest.h>

namespace sealane::crypto {
namespace {

Op MakeOp(uint64_t len, uint64_t out_len, uint32_t iv_len) {
  Op op;
  op.len = len;
  op.out_len = out_len;
  op.iv_len = iv_len;
  return op;
}

TEST(Op, Cipher_LengthsMustBeTheAlgorithms) {
  const SessionInfo info{.kind = SessionKind::kCipher, .cipher = CipherAlgorithm::kAesCbc};
  EXPECT_TRUE(IsValidOp(info, MakeOp(32, 32, 16)));
  EXPECT_TRUE(IsValidOp(info, MakeOp(0, 0, 16)));
  EXPECT_FALSE(IsValidOp(info, MakeOp(33, 33, 16)));
  EXPECT_FALSE(IsValidOp(info, MakeOp(32, 48, 16)));
  EXPECT_FALSE(IsValidOp(info, MakeOp(32, 32, 12)));
  EXPECT_FALSE(IsValidOp(info, MakeOp(kMaxPayload + 16, kMaxPayload + 16, 16)));
}

TEST(Op, Chain_RangesMustLieWithinThePayload) {
  const SessionInfo info{.kind = SessionKind::kChain,
                         .cipher = CipherAlgorithm::kAesCbc,
                         .mac = MacAlgorithm::kHmacSha1,
                         .has_mac = true,
                         .result_len = 20};
  Op op = MakeOp(64, 64, 16);
  op.cipher_range = {.offset = 16, .len = 48};
  op.hash_range = {.offset = 0, .len = 64};
  EXPECT_TRUE(IsValidOp(info, op));
  op.cipher_range = {.offset = 17, .len = 48};
  EXPECT_FALSE(IsValidOp(info, op));
  op.cipher_range = {.offset = 0xffffffff, .len = 16};
  EXPECT_FALSE(IsValidOp(info, op));
  op.cipher_range = {.offset = 0, .len = 8};
  EXPECT_FALSE(IsValidOp(info, op));
  op.cipher_range = {.offset = 0, .len = 16};
  op.hash_range = {.offset = 64, .len = 1};
  EXPECT_FALSE(IsValidOp(info, op));
  op.hash_range = {.offset = 64, .len = 0};
  EXPECT_TRUE(IsValidOp(info, op));
}

TEST(Op, HashAndMac_ResultHasTheSessionsLength) {
  const SessionInfo hash{.kind = SessionKind::kHash, .result_len = 32};
  EXPECT_TRUE(IsValidOp(hash, MakeOp(0, 32, 0)));
  EXPECT_FALSE(IsValidOp(hash, MakeOp(0, 31, 0)));
  const SessionInfo mac{
      .kind = SessionKind::kMac, .mac = MacAlgorithm::kCbcMacAes, .result_len = 16};
  EXPECT_TRUE(IsValidOp(mac, MakeOp(16, 16, 0)));
  EXPECT_FALSE(IsValidOp(mac, MakeOp(17, 16, 0)));
}

TEST(Op, MacWithIv_PayloadHoldsTheIv) {
  const SessionInfo info{
      .kind = SessionKind::kMac, .mac = MacAlgorithm::kGmacAes, .result_len = 16};
  EXPECT_TRUE(IsValidOp(info, MakeOp(12, 16, 0)));
  EXPECT_FALSE(IsValidOp(info, MakeOp(11, 16, 0)));
}

TEST(Op, Aead_IvLengthIsTheAlgorithms) {
  const SessionInfo gcm{.kind = SessionKind::kAead, .aead = AeadAlgorithm::kAesGcm};
  EXPECT_TRUE(IsValidOp(gcm, MakeOp(5, 5, 12)));
  EXPECT_FALSE(IsValidOp(gcm, MakeOp(5, 5, 16)));
  const SessionInfo ccm{.kind = SessionKind::kAead, .aead = AeadAlgorithm::kAesCcm};
  EXPECT_TRUE(IsValidOp(ccm, MakeOp(0x10000, 0x10000, 12)));
  EXPECT_TRUE(IsValidOp(ccm, MakeOp(0xffff, 0xffff, 13)));
  EXPECT_FALSE(IsValidOp(ccm, MakeOp(0x10000, 0x10000, 13)));
  EXPECT_FALSE(IsValidOp(ccm, MakeOp(5, 5, 6)));
}

}  // namespace
}  // namespace sealane::crypto
