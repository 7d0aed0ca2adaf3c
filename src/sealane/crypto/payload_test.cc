// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/payload.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
#include <vector>

namespace sealane::crypto {
namespace {

TEST(MeasurePayload, NoSegments_IsEmptyAndOnePiece) {
  const PayloadShape shape = MeasurePayload({}, 0);
  EXPECT_EQ(shape.size, 0U);
  EXPECT_TRUE(shape.fits);
  EXPECT_TRUE(shape.contiguous);
}

TEST(MeasurePayload, TouchingSegments_AreOnePiece) {
  std::array<uint8_t, 12> memory{};
  const std::array<Segment, 4> segments = {Segment{memory.data(), 5}, Segment{nullptr, 0},
                                           Segment{memory.data() + 5, 4},
                                           Segment{memory.data() + 9, 3}};
  const PayloadShape shape = MeasurePayload(segments, 12);
  EXPECT_EQ(shape.data, memory.data());
  EXPECT_EQ(shape.size, 12U);
  EXPECT_TRUE(shape.contiguous);
}

TEST(MeasurePayload, GapOrWrongOrder_IsSeveralPieces) {
  std::array<uint8_t, 12> memory{};
  const std::array<Segment, 2> gap = {Segment{memory.data(), 5}, Segment{memory.data() + 6, 4}};
  EXPECT_FALSE(MeasurePayload(gap, 12).contiguous);
  const std::array<Segment, 2> order = {Segment{memory.data() + 5, 5}, Segment{memory.data(), 5}};
  EXPECT_FALSE(MeasurePayload(order, 12).contiguous);
  const std::array<Segment, 2> twice = {Segment{memory.data(), 5}, Segment{memory.data(), 5}};
  EXPECT_FALSE(MeasurePayload(twice, 12).contiguous);
  // The third continues where it would if all had been one piece, but the second was elsewhere.
  const std::array<Segment, 3> detour = {Segment{memory.data(), 2}, Segment{memory.data() + 8, 2},
                                         Segment{memory.data() + 4, 2}};
  EXPECT_FALSE(MeasurePayload(detour, 12).contiguous);
}

TEST(MeasurePayload, MoreThanTheLimit_DoesNotFit) {
  std::array<uint8_t, 12> memory{};
  const std::array<Segment, 2> segments = {Segment{memory.data(), 6},
                                           Segment{memory.data() + 6, 6}};
  EXPECT_TRUE(MeasurePayload(segments, 12).fits);
  EXPECT_FALSE(MeasurePayload(segments, 11).fits);
  const std::array<Segment, 2> wraps = {
      Segment{memory.data(), 6}, Segment{memory.data(), std::numeric_limits<size_t>::max() - 3}};
  EXPECT_FALSE(MeasurePayload(wraps, 12).fits);
}

TEST(AreSameOrDisjoint, EveryDistance_IsJudgedRight) {
  std::array<uint8_t, 64> memory{};
  const uint8_t* const middle = memory.data() + 32;
  for (size_t distance = 0; distance <= 24; ++distance) {
    const bool expected = distance == 0 || distance >= 16;
    EXPECT_EQ(AreSameOrDisjoint(middle, middle + distance, 16), expected) << distance;
    EXPECT_EQ(AreSameOrDisjoint(middle, middle - distance, 16), expected) << distance;
  }
}

TEST(GatherAndScatterPayload, Pieces_KeepTheirOrder) {
  std::array<uint8_t, 10> memory{};
  std::iota(memory.begin(), memory.end(), uint8_t{0});
  const std::array<Segment, 3> segments = {Segment{memory.data() + 7, 3}, Segment{nullptr, 0},
                                           Segment{memory.data() + 1, 2}};
  std::vector<uint8_t> flat(5);
  GatherPayload(segments, flat);
  EXPECT_EQ(flat, (std::vector<uint8_t>{7, 8, 9, 1, 2}));
  const std::vector<uint8_t> other = {20, 21, 22, 23, 24};
  ScatterPayload(other, segments);
  EXPECT_EQ(memory, (std::array<uint8_t, 10>{0, 23, 24, 3, 4, 5, 6, 20, 21, 22}));
}

}  // namespace
}  // namespace sealane::crypto
