// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/session.h"

#include <gtest/gtest.h>

#include <vector>

namespace sealane::crypto {
namespace {

SecretBytes Key(size_t len) {
  std::vector<uint8_t> bytes(len);
  for (size_t i = 0; i < len; ++i) bytes[i] = static_cast<uint8_t>(i);
  return SecretBytes(std::span<const uint8_t>(bytes));
}

TEST(SessionParams, Info_NamesWhatTheSessionIs) {
  const SessionInfo info = InfoOf(ChainParams{
      .cipher = {.algorithm = CipherAlgorithm::kAesCtr,
                 .direction = Direction::kDecrypt,
                 .key = Key(24)},
      .hash = MacParams{.algorithm = MacAlgorithm::kXcbcAes, .result_len = 12, .key = Key(16)},
      .hash_first = true});
  EXPECT_EQ(info.kind, SessionKind::kChain);
  EXPECT_EQ(info.direction, Direction::kDecrypt);
  EXPECT_EQ(info.cipher, CipherAlgorithm::kAesCtr);
  EXPECT_EQ(info.mac, MacAlgorithm::kXcbcAes);
  EXPECT_TRUE(info.has_mac);
  EXPECT_TRUE(info.hash_first);
  EXPECT_EQ(info.key_len, 24U);
  EXPECT_EQ(info.auth_key_len, 16U);
  EXPECT_EQ(info.result_len, 12U);
  EXPECT_EQ(InfoOf(HashParams{.result_len = 7}).kind, SessionKind::kHash);
  EXPECT_EQ(InfoOf(AkcipherParams{.is_private = true, .key = Key(9)}).kind, SessionKind::kAkcipher);
}

TEST(SessionParams, Check_RefusesLengthsThatTheAlgorithmDoesNotHave) {
  EXPECT_EQ(CheckParams(CipherParams{.key = Key(16)}), Status::kOk);
  EXPECT_EQ(CheckParams(CipherParams{.key = Key(17)}), Status::kError);
  EXPECT_EQ(CheckParams(HashParams{.algorithm = HashAlgorithm::kSha1, .result_len = 20}),
            Status::kOk);
  EXPECT_EQ(CheckParams(HashParams{.algorithm = HashAlgorithm::kSha1, .result_len = 21}),
            Status::kError);
  EXPECT_EQ(CheckParams(HashParams{.algorithm = HashAlgorithm::kShake128, .result_len = 4096}),
            Status::kOk);
  EXPECT_EQ(CheckParams(MacParams{.result_len = 32, .key = Key(0)}), Status::kError);
  EXPECT_EQ(CheckParams(MacParams{.result_len = 3, .key = Key(8)}), Status::kError);
  EXPECT_EQ(CheckParams(AeadParams{.tag_len = 16, .key = Key(32)}), Status::kOk);
  EXPECT_EQ(CheckParams(AeadParams{.tag_len = 5, .key = Key(32)}), Status::kError);
  EXPECT_EQ(CheckParams(AkcipherParams{.key = Key(kMaxAkcipherKeyLen + 1)}), Status::kError);
}

TEST(SessionParams, Check_RefusesXtsWithEqualHalves) {
  const std::vector<uint8_t> same(32, 7);
  EXPECT_EQ(CheckParams(CipherParams{.algorithm = CipherAlgorithm::kAesXts,
                                     .key = SecretBytes(std::span<const uint8_t>(same))}),
            Status::kError);
  EXPECT_EQ(CheckParams(CipherParams{.algorithm = CipherAlgorithm::kAesXts, .key = Key(32)}),
            Status::kOk);
}

TEST(SessionParams, Check_ChainTakesNoMacWithIvAndNoLongDigest) {
  const auto chain = [](auto hash) {
    return CheckParams(ChainParams{.cipher = {.key = Key(16)}, .hash = std::move(hash)});
  };
  EXPECT_EQ(chain(MacParams{.result_len = 16, .key = Key(20)}), Status::kOk);
  EXPECT_EQ(chain(MacParams{.algorithm = MacAlgorithm::kGmacAes, .result_len = 16, .key = Key(16)}),
            Status::kError);
  EXPECT_EQ(chain(HashParams{.algorithm = HashAlgorithm::kShake256, .result_len = 64}),
            Status::kOk);
  EXPECT_EQ(chain(HashParams{.algorithm = HashAlgorithm::kShake256, .result_len = 65}),
            Status::kError);
}

}  // namespace
}  // namespace sealane::crypto
