// SPDX-License-Identifier: Apache-2.0
//
// Where the payload lies: the scatter lists of Linux's cipher self-tests (the layouts of testmgr's
// default_cipher_testvec_configs, written anew), in place and out of place, and source and
// destination that overlap in every way. The answers are those of plain OpenSSL on one buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sealane/crypto/openssl/lane_runner.h"
#include "sealane/crypto/openssl/scatter_arena.h"

namespace sealane::crypto {
namespace {

constexpr std::array kDirections = {Direction::kEncrypt, Direction::kDecrypt};

class OpenSslLayout : public ::testing::TestWithParam<CipherCase> {
 protected:
  OpenSslLayout()
      : algorithm_(GetParam().algorithm),
        key_(TestBytes(GetParam().key_len, 40)),
        iv_(TestBytes(Traits(algorithm_).iv_len, 41)) {}

  bool TakesAnyLength() const { return Traits(algorithm_).block_len == 1; }

  // Whole blocks of every cipher, and odd lengths where they are defined.
  std::vector<size_t> Lengths() const {
    if (TakesAnyLength()) return {37, 10000};
    return {48, 10000};
  }

  Bytes Expected(Direction direction, const Bytes& in) const {
    return ReferenceCrypt(algorithm_, direction, key_, iv_, in);
  }

  // The op may be read only, but for its status.
  void ExpectRuns(LaneSession& session, std::span<const Segment> src, std::span<const Segment> dst,
                  size_t len) {
    Op op = MakeOp(session, iv_);
    op.src = src;
    op.dst = dst;
    op.len = op.out_len = len;
    const Op before = op;
    EXPECT_EQ(runner_.Run(op), Status::kOk);
    EXPECT_EQ(op.session, before.session);
    EXPECT_EQ(op.src.data(), before.src.data());
    EXPECT_EQ(op.dst.data(), before.dst.data());
    EXPECT_EQ(op.len, before.len);
    EXPECT_EQ(op.iv, before.iv);
  }

  void CheckOutOfPlace(Direction direction, const Layout& from, const Layout& to, size_t len) {
    SCOPED_TRACE(std::string(from.name) + " to " + to.name + ", " + std::to_string(len));
    const auto session = runner_.Open(algorithm_, direction, key_);
    const Bytes in = TestBytes(len, 42);
    Arena src(from, len);
    Arena dst(to, len);
    src.Write(in);
    ExpectRuns(*session, src.segments(), dst.segments(), len);
    EXPECT_TRUE(src.Read() == in) << "the source was written";
    EXPECT_TRUE(dst.Read() == Expected(direction, in));
    EXPECT_TRUE(src.OnlyPayloadWasTouched());
    EXPECT_TRUE(dst.OnlyPayloadWasTouched());
  }

  void CheckInPlace(Direction direction, const Layout& layout, size_t len) {
    SCOPED_TRACE(std::string(layout.name) + " in place, " + std::to_string(len));
    const auto session = runner_.Open(algorithm_, direction, key_);
    const Bytes in = TestBytes(len, 43);
    Arena arena(layout, len);
    arena.Write(in);
    // Two lists of the same memory, or one.
    const std::vector<Segment> copy(arena.segments().begin(), arena.segments().end());
    const std::span<const Segment> dst = len % 2 == 0 ? std::span(copy) : arena.segments();
    ExpectRuns(*session, arena.segments(), dst, len);
    EXPECT_TRUE(arena.Read() == Expected(direction, in));
    EXPECT_TRUE(arena.OnlyPayloadWasTouched());
  }

  // The destination begins `shift` bytes after the source, or before it if `back`.
  void CheckOverlap(Direction direction, size_t len, size_t shift, bool back, size_t cut) {
    SCOPED_TRACE(std::to_string(len) + " shifted by " + std::to_string(shift) +
                 (back ? " back" : " forward") + ", cut at " + std::to_string(cut));
    const auto session = runner_.Open(algorithm_, direction, key_);
    Bytes memory = TestBytes(len + shift, 44);
    const Bytes original = memory;
    uint8_t* const from = memory.data() + (back ? shift : 0);
    uint8_t* const to = memory.data() + (back ? 0 : shift);
    const std::array<Segment, 2> src = {Segment{from, cut}, Segment{from + cut, len - cut}};
    const std::array<Segment, 2> dst = {Segment{to, len - cut}, Segment{to + len - cut, cut}};
    ExpectRuns(*session, src, dst, len);

    const auto begin = original.begin() + (back ? static_cast<std::ptrdiff_t>(shift) : 0);
    const Bytes in(begin, begin + static_cast<std::ptrdiff_t>(len));
    Bytes expected = original;
    std::ranges::copy(Expected(direction, in),
                      expected.begin() + (back ? 0 : static_cast<std::ptrdiff_t>(shift)));
    EXPECT_TRUE(memory == expected);
  }

  LaneRunner runner_;
  const CipherAlgorithm algorithm_;
  const Bytes key_;
  const Bytes iv_;
};

TEST_P(OpenSslLayout, AnySegmentsToAnySegments_IsRight) {
  for (const Direction direction : kDirections) {
    for (const Layout& from : Layouts()) {
      for (const Layout& to : Layouts()) {
        for (const size_t len : Lengths()) CheckOutOfPlace(direction, from, to, len);
      }
    }
  }
}

TEST_P(OpenSslLayout, AnySegmentsInPlace_IsRight) {
  for (const Direction direction : kDirections) {
    for (const Layout& layout : Layouts()) {
      for (const size_t len : Lengths()) CheckInPlace(direction, layout, len);
    }
  }
}

TEST_P(OpenSslLayout, PartialOverlap_IsAsIfTheSourceWasReadFirst) {
  for (const Direction direction : kDirections) {
    for (const size_t len : Lengths()) {
      for (const size_t shift : {size_t{1}, size_t{8}, size_t{15}, size_t{16}, size_t{17}, len / 2,
                                 len - 1, len, len + 1}) {
        for (const size_t cut : {size_t{0}, size_t{5}, len}) {
          CheckOverlap(direction, len, shift, false, cut);
          CheckOverlap(direction, len, shift, true, cut);
        }
      }
    }
  }
}

// One buffer, cut differently for reading and for writing.
TEST_P(OpenSslLayout, SameMemoryCutDifferently_IsRight) {
  const size_t len = 4096;
  const auto session = runner_.Open(algorithm_, Direction::kEncrypt, key_);
  for (const size_t cut : {0U, 1U, 16U, 2048U, 4095U, 4096U}) {
    const Bytes in = TestBytes(len, 45);
    Bytes inout = in;
    uint8_t* const data = inout.data();
    const std::array<Segment, 2> src = {Segment{data, cut}, Segment{data + cut, len - cut}};
    const std::array<Segment, 2> dst = {Segment{data, len - cut}, Segment{data + len - cut, cut}};
    ExpectRuns(*session, src, dst, len);
    EXPECT_TRUE(inout == Expected(Direction::kEncrypt, in)) << cut;
  }
}

// What is read first is written last.
TEST_P(OpenSslLayout, HalvesChangePlaces_IsRight) {
  const size_t half = 512;
  const auto session = runner_.Open(algorithm_, Direction::kDecrypt, key_);
  const Bytes in = TestBytes(2 * half, 46);
  Bytes inout = in;
  const Segment first{inout.data(), half};
  const Segment second{inout.data() + half, half};
  const std::array<Segment, 2> src = {first, second};
  const std::array<Segment, 2> dst = {second, first};
  ExpectRuns(*session, src, dst, 2 * half);
  Bytes expected = Expected(Direction::kDecrypt, in);
  std::ranges::rotate(expected, expected.begin() + half);
  EXPECT_TRUE(inout == expected);
}

TEST_P(OpenSslLayout, EmptySegmentsBetween_CountForNothing) {
  const auto session = runner_.Open(algorithm_, Direction::kEncrypt, key_);
  Bytes in = TestBytes(64, 47);
  Bytes out(64);
  Bytes elsewhere(1, kPoison);
  const Segment null{nullptr, 0};
  const Segment empty{elsewhere.data(), 0};
  const std::array<Segment, 5> src = {null, Segment{in.data(), 40}, empty,
                                      Segment{in.data() + 40, 24}, null};
  const std::array<Segment, 4> dst = {empty, null, Segment{out.data(), 64}, empty};
  ExpectRuns(*session, src, dst, 64);
  EXPECT_EQ(out, Expected(Direction::kEncrypt, in));
  EXPECT_EQ(elsewhere[0], kPoison);
}

// The longest payload, in pieces: XTS must still see one data unit.
TEST(OpenSslLayout_Longest, InPieces_IsRight) {
  const size_t len = kMaxPayload;
  const Bytes key = TestBytes(64, 48);
  const Bytes iv = TestBytes(16, 49);
  LaneRunner runner;
  const auto session = runner.Open(CipherAlgorithm::kAesXts, Direction::kEncrypt, key);
  const Bytes in = TestBytes(len, 50);
  Bytes inout = in;
  const std::array<Segment, 1> whole = {Segment{inout.data(), len}};
  const std::array<Segment, 3> pieces = {Segment{inout.data() + len / 2, len / 2},
                                         Segment{inout.data(), 17},
                                         Segment{inout.data() + 17, len / 2 - 17}};
  ASSERT_EQ(runner.Run(*session, iv, pieces, whole, len), Status::kOk);
  Bytes swapped = in;
  std::ranges::rotate(swapped, swapped.begin() + static_cast<std::ptrdiff_t>(len / 2));
  EXPECT_TRUE(inout ==
              ReferenceCrypt(CipherAlgorithm::kAesXts, Direction::kEncrypt, key, iv, swapped));
}

INSTANTIATE_TEST_SUITE_P(AllCiphers, OpenSslLayout, ::testing::ValuesIn(AllCipherCases()),
                         [](const auto& cipher) {
                           std::string name(Traits(cipher.param.algorithm).name);
                           std::ranges::replace(name, '-', '_');
                           return name + "_" + std::to_string(8 * cipher.param.key_len);
                         });

}  // namespace
}  // namespace sealane::crypto
