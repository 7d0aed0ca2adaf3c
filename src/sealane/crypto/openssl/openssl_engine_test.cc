// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_engine.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "sealane/crypto/openssl/lane_runner.h"
#include "sealane/crypto/openssl/openssl_session.h"

namespace sealane::crypto {
namespace {

constexpr std::array kDirections = {Direction::kEncrypt, Direction::kDecrypt};

TEST(OpenSslEngine_Caps, Default_OffersEveryCipher) {
  LaneRunner runner;
  EXPECT_STREQ(runner.engine().caps().name, "openssl");
  for (const CipherCase& cipher : AllCipherCases()) {
    EXPECT_TRUE(runner.engine().caps().Offers(cipher.algorithm));
  }
}

TEST(OpenSslEngine_CreateSession, EveryKeyLength_OnlyTheCiphersOwnAreTaken) {
  std::map<CipherAlgorithm, std::set<size_t>> lengths;
  for (const CipherCase& cipher : AllCipherCases()) {
    lengths[cipher.algorithm].insert(cipher.key_len);
  }
  ASSERT_EQ(lengths.size(), 7U);

  LaneRunner runner;
  for (const auto& [algorithm, valid] : lengths) {
    for (size_t len = 0; len <= 2 * kMaxCipherKeyLen; ++len) {
      const auto session = runner.engine().CreateSession(
          MakeParams(algorithm, Direction::kEncrypt, TestBytes(len, 1)));
      if (valid.contains(len)) {
        EXPECT_TRUE(session.has_value()) << Traits(algorithm).name << " " << len;
      } else {
        ASSERT_FALSE(session.has_value()) << Traits(algorithm).name << " " << len;
        EXPECT_EQ(session.error(), Status::kError);
      }
    }
  }
  EXPECT_EQ(ERR_peek_error(), 0UL);
}

TEST(OpenSslEngine_CreateSession, XtsWithEqualHalves_IsError) {
  LaneRunner runner;
  for (const size_t key_len : {32U, 64U}) {
    for (const Direction direction : kDirections) {
      Bytes key = TestBytes(key_len / 2, 2);
      const Bytes half = key;
      key.insert(key.end(), half.begin(), half.end());
      const auto equal =
          runner.engine().CreateSession(MakeParams(CipherAlgorithm::kAesXts, direction, key));
      ASSERT_FALSE(equal.has_value());
      EXPECT_EQ(equal.error(), Status::kError);

      key.back() ^= 1;
      EXPECT_TRUE(runner.engine()
                      .CreateSession(MakeParams(CipherAlgorithm::kAesXts, direction, key))
                      .has_value());
    }
  }
}

TEST(OpenSslEngine_CreateSession, TripleDesKeyWithEqualParts_IsTaken) {
  LaneRunner runner;
  for (const CipherAlgorithm algorithm :
       {CipherAlgorithm::kDes3Ecb, CipherAlgorithm::kDes3Cbc, CipherAlgorithm::kDes3Ctr}) {
    EXPECT_NE(runner.Open(algorithm, Direction::kEncrypt, Bytes(24, 0x01)), nullptr);
    EXPECT_NE(runner.Open(algorithm, Direction::kDecrypt, Bytes(24, 0x00)), nullptr);
  }
}

TEST(OpenSslEngine_CreateSession, UnknownAlgorithm_IsNotSupported) {
  LaneRunner runner;
  for (const int number : {7, 8, 9, 10, 11, 12}) {
    const auto session = runner.engine().CreateSession(
        MakeParams(static_cast<CipherAlgorithm>(number), Direction::kEncrypt, TestBytes(16, 3)));
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error(), Status::kNotSupported);
  }
}

TEST(OpenSslEngine_CreateSession, Session_SaysWhatItIs) {
  LaneRunner runner;
  const auto session = runner.engine().CreateSession(
      MakeParams(CipherAlgorithm::kAesCtr, Direction::kDecrypt, TestBytes(24, 4)));
  ASSERT_TRUE(session.has_value());
  EXPECT_EQ((*session)->info().cipher, CipherAlgorithm::kAesCtr);
  EXPECT_EQ((*session)->info().direction, Direction::kDecrypt);
}

TEST(OpenSslEngine_OpenSession, LaneSession_KeepsTheSessionAlive) {
  LaneRunner runner;
  auto session = runner.engine().CreateSession(
      MakeParams(CipherAlgorithm::kAesCbc, Direction::kEncrypt, TestBytes(16, 5)));
  ASSERT_TRUE(session.has_value());
  const std::weak_ptr<const Session> watch = *session;
  auto lane_session = runner.lane().OpenSession(*std::move(session));
  ASSERT_TRUE(lane_session.has_value());
  EXPECT_FALSE(watch.expired());
  lane_session->reset();
  EXPECT_TRUE(watch.expired());
}

// The engine keeps the memory of sessions for the next ones, so it can be looked at.
TEST(OpenSslSession, LastReferenceGone_WipesTheKey) {
  LaneRunner runner;
  const Bytes key = TestBytes(32, 60);
  auto session =
      runner.engine().CreateSession(MakeParams(CipherAlgorithm::kAesCbc, Direction::kEncrypt, key));
  ASSERT_TRUE(session.has_value());
  auto lane_session = runner.lane().OpenSession(*session);
  ASSERT_TRUE(lane_session.has_value());
  const std::span<const uint8_t> held =
      std::get<CipherParams>(static_cast<const OpenSslSession&>(**session).params()).key.bytes();
  ASSERT_TRUE(std::ranges::equal(held, key));
  session->reset();
  EXPECT_TRUE(std::ranges::equal(held, key)) << "the lane still needs it";
  lane_session->reset();
  EXPECT_TRUE(std::ranges::all_of(held, [](uint8_t byte) { return byte == 0; }));
}

TEST(OpenSslEngine_Create, SeveralEngines_AreIndependent) {
  const Bytes key = TestBytes(16, 6);
  const Bytes iv = TestBytes(16, 7);
  const Bytes in = TestBytes(64, 8);
  LaneRunner survivor;
  const auto session = survivor.Open(CipherAlgorithm::kAesCbc, Direction::kEncrypt, key);
  {
    const LaneRunner gone;
  }
  EXPECT_EQ(survivor.Crypt(*session, iv, in),
            ReferenceCrypt(CipherAlgorithm::kAesCbc, Direction::kEncrypt, key, iv, in));
}

}  // namespace
}  // namespace sealane::crypto
