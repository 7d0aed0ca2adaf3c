// SPDX-License-Identifier: Apache-2.0
#include "sealane/mem/mapping.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sealane/base/unique_fd.h"

namespace sealane::mem {
namespace {

UniqueFd MakeMemfd(off_t size) {
  UniqueFd fd(::memfd_create("mapping_test", MFD_CLOEXEC));
  EXPECT_EQ(::ftruncate(fd.get(), size), 0);
  return fd;
}

TEST(Mapping, OddOffset_MapsTheRightBytes) {
  const UniqueFd fd = MakeMemfd(3 * 4096);
  ASSERT_EQ(::pwrite(fd.get(), "x", 1, 5000), 1);
  const Mapping mapping = Mapping::FromFd(fd.get(), 5000, 100).value();
  EXPECT_EQ(mapping.data()[0], 'x');
  EXPECT_EQ(mapping.size(), 100U);
}

TEST(Mapping, LargerThanItsFile_IsRefused) {
  const UniqueFd fd = MakeMemfd(4096);
  EXPECT_TRUE(Mapping::FromFd(fd.get(), 0, 4096).has_value());
  EXPECT_EQ(Mapping::FromFd(fd.get(), 0, 4097).error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(Mapping::FromFd(fd.get(), 4096, 1).error().code, ErrorCode::kOutOfRange);
}

TEST(Mapping, ImpossibleNumbers_AreRefused) {
  const UniqueFd fd = MakeMemfd(4096);
  EXPECT_FALSE(Mapping::FromFd(fd.get(), 0, 0).has_value());
  EXPECT_FALSE(Mapping::FromFd(fd.get(), ~uint64_t{0}, 2).has_value());
  EXPECT_FALSE(Mapping::FromFd(fd.get(), 1, ~uint64_t{0} >> 1).has_value());
}

TEST(Mapping, NotAFile_IsRefused) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd reader(ends[0]);
  const UniqueFd writer(ends[1]);
  EXPECT_FALSE(Mapping::FromFd(reader.get(), 0, 4096).has_value());
  EXPECT_FALSE(Mapping::FromFd(-1, 0, 4096).has_value());
}

}  // namespace
}  // namespace sealane::mem
