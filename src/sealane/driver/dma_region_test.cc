// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/dma_region.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

namespace sealane::driver {
namespace {

constexpr mem::GuestAddr kBase{0x1000};

TEST(DmaRegion, Create_ImpossibleSizeOrBase_Refused) {
  EXPECT_FALSE(DmaRegion::Create(0, kBase).has_value());
  EXPECT_FALSE(DmaRegion::Create(DmaRegion::kMaxSize + 1, kBase).has_value());
  EXPECT_FALSE(DmaRegion::Create(4096, mem::GuestAddr{1}).has_value());
  EXPECT_FALSE(DmaRegion::Create(4096, mem::GuestAddr{~uint64_t{0} & ~uint64_t{4095}}).has_value());
}

TEST(DmaRegion, PeerTruncatesFile_Impossible) {
  const auto region = DmaRegion::Create(8192, kBase).value();
  EXPECT_NE(::ftruncate(region->fd(), 4096), 0);
  EXPECT_NE(::ftruncate(region->fd(), 16384), 0);
}

TEST(DmaRegion, Allocate_Blocks_AlignedAndApart) {
  const auto region = DmaRegion::Create(1 << 20, kBase).value();
  std::vector<DmaBuffer> buffers;
  uint64_t previous_end = Raw(kBase);
  for (const size_t size : {1U, 64U, 65U, 300U, 4096U, 4097U, 20000U}) {
    buffers.push_back(region->Allocate(size).value());
    const DmaBuffer& buffer = buffers.back();
    EXPECT_EQ(buffer.bytes().size(), size);
    EXPECT_GE(Raw(buffer.addr()), previous_end);
    EXPECT_EQ(
        Raw(buffer.addr()) % std::min<size_t>(std::bit_ceil(std::max<size_t>(size, 64)), 4096), 0U);
    EXPECT_EQ(region->AddressOf(buffer.bytes()), buffer.addr());
    previous_end = Raw(buffer.addr()) + size;
  }
}

TEST(DmaRegion, Allocate_UsedUp_NoSpaceThenReused) {
  const auto region = DmaRegion::Create(4 * 4096, kBase).value();
  std::vector<DmaBuffer> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(region->Allocate(4096).value());
  const auto none = region->Allocate(4096);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kNoSpace);
  const mem::GuestAddr freed = buffers.back().addr();
  buffers.pop_back();
  EXPECT_EQ(region->Allocate(2049).value().addr(), freed);
  EXPECT_FALSE(region->Allocate(~size_t{0}).has_value());
  EXPECT_FALSE(region->Allocate(0).has_value());
}

TEST(DmaRegion, AddressOf_PartlyOutside_Nothing) {
  const auto region = DmaRegion::Create(8192, kBase).value();
  uint8_t elsewhere = 0;
  EXPECT_FALSE(region->AddressOf({&elsewhere, 1}).has_value());
  EXPECT_FALSE(region->AddressOf({region->data() + 8191, 2}).has_value());
  EXPECT_FALSE(region->AddressOf({region->data() - 1, 2}).has_value());
  EXPECT_EQ(region->AddressOf({region->data() + 8191, 1}), mem::GuestAddr{0x1000 + 8191});
}

TEST(DmaRegion, Translate_Bounds_Checked) {
  const auto region = DmaRegion::Create(8192, kBase).value();
  EXPECT_TRUE(region->Translate(kBase, 8192).has_value());
  EXPECT_FALSE(region->Translate(kBase, 8193).has_value());
  EXPECT_FALSE(region->Translate(mem::GuestAddr{0xfff}, 1).has_value());
  EXPECT_FALSE(region->Translate(kBase, ~uint64_t{0}).has_value());
}

TEST(DmaBuffer, Moved_FreedOnceAndRegionKept) {
  DmaBuffer outer;
  {
    const auto region = DmaRegion::Create(4096, kBase).value();
    DmaBuffer inner = region->Allocate(4096).value();
    outer = std::move(inner);
    EXPECT_FALSE(inner.valid());  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(region->Allocate(64).has_value());
  }
  outer.bytes()[4095] = 1;  // still mapped
  outer = DmaBuffer();
  EXPECT_FALSE(outer.valid());
}

}  // namespace
}  // namespace sealane::driver
