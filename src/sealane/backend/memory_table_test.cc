// SPDX-License-Identifier: Apache-2.0
#include "sealane/backend/memory_table.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sealane::backend {
namespace {

using mem::GuestAddr;
using wire::vhost_user_memory_region;

constexpr uint64_t kPage = 4096;
constexpr uint64_t kFileSize = 16 * kPage;

class MemoryTableTest : public ::testing::Test {
 protected:
  MemoryTableTest() { EXPECT_EQ(::ftruncate(file.get(), kFileSize), 0); }
  UniqueFd Fd() const { return UniqueFd(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0)); }
  std::vector<UniqueFd> Fds(size_t count) const {
    std::vector<UniqueFd> fds;
    for (size_t i = 0; i < count; ++i) fds.push_back(Fd());
    return fds;
  }
  // A page at `guest`, which is at `offset` of the file.
  static vhost_user_memory_region Page(uint64_t guest, uint64_t offset) {
    return {.guest_phys_addr = guest,
            .memory_size = kPage,
            .userspace_addr = 0x7f0000000000 + guest,
            .mmap_offset = offset};
  }
  static bool Has(const MemoryTable::Table& memory, uint64_t addr) {
    return memory->Translate(GuestAddr{addr}, 1).has_value();
  }

  UniqueFd file{::memfd_create("guest", MFD_CLOEXEC)};
  MemoryTable table;
};

// As QEMU does it: one file, several descriptors of it.
TEST_F(MemoryTableTest, SeveralDescriptorsOfOneFile_EachRegionShowsItsOwnPart) {
  const uint8_t mark = 0x5a;
  ASSERT_EQ(::pwrite(file.get(), &mark, 1, 5 * kPage + 7), 1);
  const std::vector<vhost_user_memory_region> regions = {Page(0, 0), Page(0x100000, 5 * kPage)};
  const auto memory = table.Replace(regions, Fds(2)).value();
  EXPECT_EQ(memory->Translate(GuestAddr{0x100007}, 1)->Read<uint8_t>(0), mark);
  EXPECT_EQ(memory->Translate(GuestAddr{7}, 1)->Read<uint8_t>(0), 0);
}

TEST_F(MemoryTableTest, Replace_ForgetsWhatWasThere_OldTableStaysUsable) {
  const std::vector<vhost_user_memory_region> first = {Page(0, 0)};
  const std::vector<vhost_user_memory_region> second = {Page(0x100000, kPage)};
  const auto old_memory = table.Replace(first, Fds(1)).value();
  const auto memory = table.Replace(second, Fds(1)).value();
  EXPECT_FALSE(Has(memory, 0));
  EXPECT_TRUE(Has(memory, 0x100000));
  EXPECT_EQ(old_memory->Translate(GuestAddr{0}, 1)->Read<uint8_t>(0), 0);
}

TEST_F(MemoryTableTest, Replace_WithoutADescriptorForEach_IsRefused) {
  const std::vector<vhost_user_memory_region> regions = {Page(0, 0), Page(0x100000, kPage)};
  EXPECT_FALSE(table.Replace(regions, Fds(1)).has_value());
  EXPECT_FALSE(table.Replace(regions, Fds(3)).has_value());
}

TEST_F(MemoryTableTest, Replace_OneBadRegion_LeavesEverythingAsItWas) {
  ASSERT_TRUE(table.Add(Page(0, 0), Fd()).has_value());
  const std::vector<vhost_user_memory_region> overlap = {Page(0x100000, 0), Page(0x100fff, kPage)};
  EXPECT_FALSE(table.Replace(overlap, Fds(2)).has_value());
  const std::vector<vhost_user_memory_region> beyond = {Page(0x100000, 0),
                                                        Page(0x200000, kFileSize)};
  EXPECT_FALSE(table.Replace(beyond, Fds(2)).has_value());
  const auto memory = table.Add(Page(0x300000, 0), Fd()).value();
  EXPECT_TRUE(Has(memory, 0));
  EXPECT_FALSE(Has(memory, 0x100000));
}

TEST_F(MemoryTableTest, Add_ImpossibleRegions_AreRefused) {
  vhost_user_memory_region region = Page(0, 0);
  region.memory_size = 0;
  EXPECT_FALSE(table.Add(region, Fd()).has_value()) << "empty";
  region.memory_size = kFileSize + 1;
  EXPECT_FALSE(table.Add(region, Fd()).has_value()) << "larger than its file";
  region = Page(0, ~uint64_t{0} - kPage + 1);
  EXPECT_FALSE(table.Add(region, Fd()).has_value()) << "the offset wraps";
  EXPECT_FALSE(table.Add(Page(~uint64_t{0} - 100, 0), Fd()).has_value()) << "the address wraps";
  region = Page(0, 0);
  region.userspace_addr = ~uint64_t{0} - 100;
  EXPECT_FALSE(table.Add(region, Fd()).has_value()) << "the front-end's address wraps";
  EXPECT_FALSE(table.Add(Page(0, 0), UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC))));
  EXPECT_TRUE(table.Add(Page(0, 0), Fd()).has_value());
}

TEST_F(MemoryTableTest, Add_OverlapInTheFrontEndsAddresses_IsRefused) {
  ASSERT_TRUE(table.Add(Page(0, 0), Fd()).has_value());
  vhost_user_memory_region region = Page(0x100000, kPage);
  region.userspace_addr = 0x7f0000000000 + kPage - 1;
  EXPECT_FALSE(table.Add(region, Fd()).has_value());
}

TEST_F(MemoryTableTest, Add_UpToTheLimit_AndNotOneMore) {
  uint64_t addr = 0;
  for (size_t i = 0; i < mem::GuestMemory::kMaxRegions; ++i, addr += kPage) {
    ASSERT_TRUE(table.Add(Page(addr, 0), Fd()).has_value()) << i;
  }
  EXPECT_FALSE(table.Add(Page(addr, 0), Fd()).has_value());
  EXPECT_TRUE(table.Remove(Page(0, 0)).has_value());
  EXPECT_TRUE(table.Add(Page(addr, 0), Fd()).has_value());
}

TEST_F(MemoryTableTest, Remove_NamesARegionExactly) {
  ASSERT_TRUE(table.Add(Page(0, 0), Fd()).has_value());
  ASSERT_TRUE(table.Add(Page(kPage, 0), Fd()).has_value());
  vhost_user_memory_region both = Page(0, 0);
  both.memory_size = 2 * kPage;
  EXPECT_FALSE(table.Remove(both).has_value());
  vhost_user_memory_region elsewhere = Page(0, 0);
  elsewhere.userspace_addr += 1;
  EXPECT_FALSE(table.Remove(elsewhere).has_value());
  const auto memory = table.Remove(Page(0, 0)).value();
  EXPECT_FALSE(Has(memory, 0));
  EXPECT_TRUE(Has(memory, kPage));
  EXPECT_FALSE(table.Remove(Page(0, 0)).has_value()) << "twice";
  EXPECT_TRUE(table.Remove(Page(kPage, 0)).has_value()) << "the last one";
}

}  // namespace
}  // namespace sealane::backend
