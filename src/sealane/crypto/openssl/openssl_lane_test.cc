// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/openssl_lane.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sealane/crypto/openssl/lane_runner.h"

namespace sealane::crypto {
namespace {

constexpr std::array kDirections = {Direction::kEncrypt, Direction::kDecrypt};

Bytes MakeIv(CipherAlgorithm algorithm, uint32_t seed) {
  return TestBytes(Traits(algorithm).iv_len, seed);
}

TEST(OpenSslLane_Submit, MoreThanCapacity_TakesWhatFitsUntilPolled) {
  LaneRunner runner;
  const auto session = runner.Open(CipherAlgorithm::kAesEcb, Direction::kEncrypt, Bytes(16));
  constexpr size_t kCapacity = OpenSslLane::kCapacity;
  std::vector<Op> ops(kCapacity + 100, MakeOp(*session, {}));
  std::vector<Op*> pointers;
  for (Op& op : ops) pointers.push_back(&op);
  const std::span<Op* const> all(pointers);

  EXPECT_EQ(runner.lane().Submit(all), kCapacity);
  EXPECT_EQ(runner.lane().in_flight(), kCapacity);
  EXPECT_EQ(runner.lane().Submit(all.subspan(kCapacity)), 0U);

  std::vector<Op*> done(30);
  EXPECT_EQ(runner.lane().Poll(done), 30U);
  EXPECT_TRUE(std::ranges::equal(done, all.first(30)));
  EXPECT_EQ(runner.lane().Submit(all.subspan(kCapacity)), 30U);
  EXPECT_EQ(ops[kCapacity + 30].status, Status::kNoSpace) << "an op that was not taken was touched";

  done.assign(2 * kCapacity, nullptr);
  EXPECT_EQ(runner.lane().Poll(done), kCapacity);
  EXPECT_TRUE(std::ranges::equal(std::span(done).first(kCapacity), all.subspan(30, kCapacity)));
  EXPECT_EQ(runner.lane().in_flight(), 0U);
  EXPECT_EQ(runner.lane().Poll(done), 0U);
}

TEST(OpenSslLane_Submit, Nothing_IsNothing) {
  LaneRunner runner;
  EXPECT_EQ(runner.lane().Submit({}), 0U);
  EXPECT_EQ(runner.lane().Poll({}), 0U);
  runner.lane().Flush();
  EXPECT_EQ(runner.lane().in_flight(), 0U);
}

// Lengths and which ciphers are defined for them, written out rather than computed: block modes
// take whole blocks, XTS a block and more, CTR anything.
struct LengthCase {
  uint64_t len;
  bool aes_block, aes_ctr, aes_xts, des_block, des_ctr;
};
constexpr auto kLengthCases = std::to_array<LengthCase>({
    {0, true, true, true, true, true},
    {1, false, true, false, false, true},
    {7, false, true, false, false, true},
    {8, false, true, false, true, true},
    {15, false, true, false, false, true},
    {16, true, true, true, true, true},
    {17, false, true, true, false, true},
    {31, false, true, true, false, true},
    {511, false, true, true, false, true},
    {513, false, true, true, false, true},
    {4097, false, true, true, false, true},
    {(1U << 24) - 1, false, true, true, false, true},
    {1U << 24, true, true, true, true, true},
    {(1U << 24) + 1, false, false, false, false, false},
    {(1U << 24) + 16, false, false, false, false, false},
});

bool IsDefined(const LengthCase& length, CipherAlgorithm algorithm) {
  switch (algorithm) {
    case CipherAlgorithm::kAesEcb:
    case CipherAlgorithm::kAesCbc:
      return length.aes_block;
    case CipherAlgorithm::kAesCtr:
      return length.aes_ctr;
    case CipherAlgorithm::kAesXts:
      return length.aes_xts;
    case CipherAlgorithm::kDes3Ecb:
    case CipherAlgorithm::kDes3Cbc:
      return length.des_block;
    case CipherAlgorithm::kDes3Ctr:
      return length.des_ctr;
    default:
      break;
  }
  return false;
}

// The longest payloads take long, so AES runs them with one key length per mode, and Triple DES in
// one mode and at the limit only.
bool IsSlow(const CipherCase& cipher, uint64_t len) {
  if (len <= 1U << 20) return false;
  if (cipher.algorithm == CipherAlgorithm::kDes3Ctr) return len != kMaxPayload;
  return cipher.key_len != 16 && cipher.key_len != 64;
}

void ExpectDefinedOrRefused(LaneRunner& runner, const CipherCase& cipher, bool defined, Bytes& in) {
  const Bytes key = TestBytes(cipher.key_len, 11);
  const Bytes iv = MakeIv(cipher.algorithm, 12);
  const auto session = runner.Open(cipher.algorithm, Direction::kEncrypt, key);
  Bytes out(in.size(), 0xa5);
  const std::array<Segment, 1> src = {Segment{in.data(), in.size()}};
  const std::array<Segment, 1> dst = {Segment{out.data(), out.size()}};
  const Status status = runner.Run(*session, iv, src, dst, in.size());
  EXPECT_EQ(ERR_peek_error(), 0UL);
  // Not EXPECT_EQ for the bytes, which would print megabytes.
  if (defined) {
    EXPECT_EQ(status, Status::kOk);
    EXPECT_TRUE(out == ReferenceCrypt(cipher.algorithm, Direction::kEncrypt, key, iv, in));
  } else {
    EXPECT_EQ(status, Status::kError);
    EXPECT_TRUE(out == Bytes(in.size(), 0xa5)) << "something was written";
  }
}

TEST(OpenSslLane_Run, EveryLength_IsDefinedOrRefused) {
  LaneRunner runner;
  for (const LengthCase& length : kLengthCases) {
    Bytes in = TestBytes(length.len, 10);
    for (const CipherCase& cipher : AllCipherCases()) {
      const bool defined = IsDefined(length, cipher.algorithm);
      if (defined && IsSlow(cipher, length.len)) continue;
      SCOPED_TRACE(std::string(Traits(cipher.algorithm).name) + " " + std::to_string(length.len));
      ExpectDefinedOrRefused(runner, cipher, defined, in);
    }
  }
}

TEST(OpenSslLane_Run, EmptyPayload_IsOkWithAnySegments) {
  LaneRunner runner;
  uint8_t byte = 0x5a;
  const std::array<Segment, 3> nothing = {Segment{nullptr, 0}, Segment{&byte, 0},
                                          Segment{nullptr, 0}};
  for (const CipherCase& cipher : AllCipherCases()) {
    const auto session =
        runner.Open(cipher.algorithm, Direction::kDecrypt, TestBytes(cipher.key_len, 13));
    const Bytes iv = MakeIv(cipher.algorithm, 14);
    EXPECT_EQ(runner.Run(*session, iv, {}, {}, 0), Status::kOk);
    EXPECT_EQ(runner.Run(*session, iv, nothing, nothing, 0), Status::kOk);
  }
  EXPECT_EQ(byte, 0x5a);
}

TEST(OpenSslLane_Run, LengthIsNotTheTotal_IsErrorAndWritesNothing) {
  constexpr size_t kHuge = std::numeric_limits<size_t>::max();
  LaneRunner runner;
  const auto session =
      runner.Open(CipherAlgorithm::kAesCbc, Direction::kEncrypt, TestBytes(16, 14));
  const Bytes iv = TestBytes(16, 15);
  Bytes src = TestBytes(64, 16);
  Bytes dst(64, 0xa5);
  const std::array<Segment, 2> right_src = {Segment{src.data(), 16}, Segment{src.data() + 16, 16}};
  const std::array<Segment, 1> right_dst = {Segment{dst.data(), 32}};
  ASSERT_EQ(runner.Run(*session, iv, right_src, right_dst, 32), Status::kOk);
  dst.assign(64, 0xa5);

  const std::vector<std::vector<Segment>> wrong = {
      {},
      {{dst.data(), 16}},
      {{dst.data(), 31}},
      {{dst.data(), 33}},
      {{dst.data(), 48}},
      {{dst.data(), 16}, {dst.data() + 16, 15}},
      {{dst.data(), 16}, {dst.data() + 16, 17}},
      {{dst.data(), kHuge}},
      {{dst.data(), 16}, {dst.data() + 16, kHuge - 15}, {dst.data(), 32}},  // 32 modulo 2^64
      {{dst.data(), kHuge}, {dst.data(), 33}},
  };
  for (const auto& segments : wrong) {
    EXPECT_EQ(runner.Run(*session, iv, right_src, segments, 32), Status::kError);
    EXPECT_EQ(runner.Run(*session, iv, segments, right_dst, 32), Status::kError);
  }
  EXPECT_EQ(runner.Run(*session, iv, right_src, right_dst, 0), Status::kError);
  EXPECT_EQ(runner.Run(*session, iv, right_src, right_dst, 16), Status::kError);
  EXPECT_EQ(runner.Run(*session, iv, right_src, right_dst, ~uint64_t{0} - 15), Status::kError);
  EXPECT_EQ(dst, Bytes(64, 0xa5));
}

TEST(OpenSslLane_Run, OpAfterARefusedOne_IsRight) {
  LaneRunner runner;
  for (const CipherCase& cipher : AllCipherCases()) {
    const Bytes key = TestBytes(cipher.key_len, 17);
    const Bytes iv = MakeIv(cipher.algorithm, 18);
    Bytes in = TestBytes(48, 19);
    const auto session = runner.Open(cipher.algorithm, Direction::kEncrypt, key);
    const std::array<Segment, 1> segments = {Segment{in.data(), in.size()}};
    EXPECT_EQ(runner.Run(*session, iv, segments, segments, 47), Status::kError);
    EXPECT_EQ(runner.Crypt(*session, iv, in),
              ReferenceCrypt(cipher.algorithm, Direction::kEncrypt, key, iv, in));
  }
}

// The IV is reset by each op, whatever the one before left behind.
TEST(OpenSslLane_Run, SameOpAgain_GivesTheSameResult) {
  LaneRunner runner;
  for (const CipherCase& cipher : AllCipherCases()) {
    for (const Direction direction : kDirections) {
      const Bytes key = TestBytes(cipher.key_len, 20);
      const Bytes iv = MakeIv(cipher.algorithm, 21);
      const auto session = runner.Open(cipher.algorithm, direction, key);
      Bytes in = TestBytes(80, 22);
      Bytes out(80);
      const Bytes expected = ReferenceCrypt(cipher.algorithm, direction, key, iv, in);
      const std::array<Segment, 1> src = {Segment{in.data(), in.size()}};
      const std::array<Segment, 1> dst = {Segment{out.data(), out.size()}};
      Op op = MakeOp(*session, iv);
      op.src = src;
      op.dst = dst;
      op.len = op.out_len = 80;
      for (int i = 0; i < 50; ++i) {
        std::ranges::fill(out, uint8_t{0});
        ASSERT_EQ(runner.Run(op), Status::kOk);
        ASSERT_EQ(out, expected);
      }
      EXPECT_TRUE(std::ranges::equal(std::span(op.iv).first(iv.size()), iv));
    }
  }
}

struct InterleavedSession {
  CipherCase cipher;
  Direction direction;
  Bytes key;
  std::unique_ptr<LaneSession> first;   // on the first lane
  std::unique_ptr<LaneSession> second;  // on the second
};

std::vector<InterleavedSession> OpenInterleaved(LaneRunner& runner, Lane& second_lane) {
  std::vector<InterleavedSession> sessions;
  for (uint32_t i = 0; i < 16; ++i) {
    InterleavedSession session{.cipher = AllCipherCases()[i % AllCipherCases().size()],
                               .direction = kDirections[i / 2 % 2],
                               .key = {},
                               .first = nullptr,
                               .second = nullptr};
    session.key = TestBytes(session.cipher.key_len, 100 + i);
    auto shared = runner.engine().CreateSession(
        MakeParams(session.cipher.algorithm, session.direction, session.key));
    session.first = *runner.lane().OpenSession(*shared);
    session.second = *second_lane.OpenSession(*shared);
    sessions.push_back(std::move(session));
  }
  return sessions;
}

TEST(OpenSslLane_Run, SixteenSessionsOnTwoLanesInterleaved_DoNotDisturbEachOther) {
  LaneRunner runner;
  const auto second_lane = runner.OpenLane();
  const auto sessions = OpenInterleaved(runner, *second_lane);
  const Bytes choices = TestBytes(4000, 23);
  for (uint32_t i = 0; i < choices.size(); i += 2) {
    const InterleavedSession& session = sessions[choices[i] % sessions.size()];
    const bool use_first = choices[i + 1] % 2 == 0;
    const size_t len = 16 * (size_t{choices[i + 1]} / 4 + 1);
    const Bytes iv = MakeIv(session.cipher.algorithm, 1000 + i);
    const Bytes in = TestBytes(len, 2000 + i);
    Bytes inout = in;
    const std::array<Segment, 1> segments = {Segment{inout.data(), inout.size()}};
    Op op = MakeOp(use_first ? *session.first : *session.second, iv);
    op.src = op.dst = segments;
    op.len = op.out_len = len;
    const std::array<Op*, 1> ops = {&op};
    Lane& lane = use_first ? runner.lane() : *second_lane;
    ASSERT_EQ(lane.Submit(ops), 1U);
    std::array<Op*, 1> done{};
    ASSERT_EQ(lane.Poll(done), 1U);
    ASSERT_EQ(done[0], &op);
    ASSERT_EQ(op.status, Status::kOk);
    ASSERT_EQ(inout,
              ReferenceCrypt(session.cipher.algorithm, session.direction, session.key, iv, in));
  }
}

}  // namespace
}  // namespace sealane::crypto
