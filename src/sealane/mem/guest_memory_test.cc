// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/guest_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <numeric>

#include "sealane/base/le.h"
#include "sealane/base/unique_fd.h"

namespace sealane::mem {
namespace {

constexpr uint64_t kPage = 4096;

MemoryRegion MakeRegion(uint64_t guest, uint64_t frontend, uint64_t size) {
  const UniqueFd fd(::memfd_create("guest_memory_test", MFD_CLOEXEC));
  EXPECT_EQ(::ftruncate(fd.get(), static_cast<off_t>(size)), 0);
  return {.guest_addr = GuestAddr{guest},
          .frontend_addr = FrontendAddr{frontend},
          .mapping = std::make_shared<const Mapping>(Mapping::FromFd(fd.get(), 0, size).value())};
}

// Two regions that touch in guest memory (not in the front-end's) and one far away.
std::shared_ptr<const GuestMemory> MakeMemory() {
  std::vector<MemoryRegion> regions;
  regions.push_back(MakeRegion(2 * kPage, 0x50000, kPage));
  regions.push_back(MakeRegion(kPage, 0x90000, kPage));
  regions.push_back(MakeRegion(~uint64_t{0} - 2 * kPage, 0x10000, kPage));
  return GuestMemory::Create(std::move(regions)).value();
}

TEST(GuestMemory, Translate_InsideOneRegion_Works) {
  const auto memory = MakeMemory();
  const GuestRange range = memory->Translate(GuestAddr{kPage + 8}, 16).value();
  EXPECT_EQ(range.size(), 16U);
  const std::array<uint8_t, 4> bytes = {1, 2, 3, 4};
  range.CopyFrom(3, bytes);
  // The same bytes through the other address space.
  EXPECT_EQ(memory->Translate(FrontendAddr{0x90000 + 8}, 16)->Read<Le32>(3).get(), 0x04030201U);
}

TEST(GuestMemory, Translate_OutsideOrAcross_Fails) {
  const auto memory = MakeMemory();
  EXPECT_FALSE(memory->Translate(GuestAddr{0}, 1).has_value());
  EXPECT_FALSE(memory->Translate(GuestAddr{kPage - 1}, 1).has_value());
  EXPECT_FALSE(memory->Translate(GuestAddr{3 * kPage}, 1).has_value());
  EXPECT_FALSE(memory->Translate(GuestAddr{kPage + 8}, kPage).has_value());
  EXPECT_FALSE(memory->Translate(GuestAddr{kPage}, ~uint64_t{0}).has_value());
  EXPECT_FALSE(memory->Translate(FrontendAddr{0x50000 + 1}, kPage).has_value());
  EXPECT_FALSE(memory->Translate(FrontendAddr{kPage}, 1).has_value());
}

TEST(GuestMemory, Append_AcrossAdjacentRegions_SplitsIntoRanges) {
  const auto memory = MakeMemory();
  std::vector<GuestRange> ranges;
  ASSERT_TRUE(memory->Append(GuestAddr{2 * kPage - 10}, 30, ranges));
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].size(), 10U);
  EXPECT_EQ(ranges[1].size(), 20U);
  EXPECT_FALSE(memory->Append(GuestAddr{3 * kPage - 10}, 11, ranges));
  EXPECT_FALSE(memory->Append(GuestAddr{~uint64_t{0} - 4}, 10, ranges));
  EXPECT_TRUE(memory->Append(GuestAddr{0}, 0, ranges));
}

TEST(GuestMemory, Read_AcrossAdjacentRegions_JoinsTheBytes) {
  const auto memory = MakeMemory();
  std::array<uint8_t, 30> pattern;
  std::iota(pattern.begin(), pattern.end(), uint8_t{1});
  memory->Translate(GuestAddr{2 * kPage - 10}, 10)->CopyFrom(0, std::span(pattern).first(10));
  memory->Translate(GuestAddr{2 * kPage}, 20)->CopyFrom(0, std::span(pattern).subspan(10));
  std::array<uint8_t, 30> out{};
  ASSERT_TRUE(memory->Read(GuestAddr{2 * kPage - 10}, out));
  EXPECT_EQ(out, pattern);
  EXPECT_FALSE(memory->Read(GuestAddr{3 * kPage - 10}, out));
}

TEST(GuestMemory, Create_OverlapInEitherSpace_IsRefused) {
  std::vector<MemoryRegion> regions;
  regions.push_back(MakeRegion(0, 0x10000, kPage));
  regions.push_back(MakeRegion(kPage - 1, 0x20000, kPage));
  EXPECT_FALSE(GuestMemory::Create(std::move(regions)).has_value());
  regions.clear();
  regions.push_back(MakeRegion(0, 0x10000, kPage));
  regions.push_back(MakeRegion(kPage, 0x10000 + kPage - 1, kPage));
  EXPECT_FALSE(GuestMemory::Create(std::move(regions)).has_value());
}

TEST(GuestMemory, Create_WrapAroundOrTooMany_IsRefused) {
  std::vector<MemoryRegion> regions;
  regions.push_back(MakeRegion(~uint64_t{0} - 10, 0, kPage));
  EXPECT_FALSE(GuestMemory::Create(std::move(regions)).has_value());
  regions.clear();
  const MemoryRegion one = MakeRegion(0, 0, kPage);
  for (uint64_t i = 0; i <= GuestMemory::kMaxRegions; ++i) {
    regions.push_back(one);
    regions.back().guest_addr = GuestAddr{i * kPage};
    regions.back().frontend_addr = FrontendAddr{i * kPage};
  }
  EXPECT_EQ(GuestMemory::Create(std::move(regions)).error().code, ErrorCode::kNoSpace);
}

TEST(GuestRange, CopyOnce_AnyAlignment_CopiesEveryByte) {
  const auto memory = MakeMemory();
  std::array<uint8_t, 64> pattern;
  std::iota(pattern.begin(), pattern.end(), uint8_t{7});
  for (size_t offset = 0; offset < 9; ++offset) {
    for (size_t len = 0; len <= 40; ++len) {
      const GuestRange range = memory->Translate(GuestAddr{kPage + offset}, len).value();
      range.CopyFrom(0, std::span(pattern).first(len));
      std::vector<uint8_t> out(len);
      range.CopyTo(0, out);
      EXPECT_TRUE(std::equal(out.begin(), out.end(), pattern.begin())) << offset << ' ' << len;
    }
  }
}

}  // namespace
}  // namespace sealane::mem
