// SPDX-License-Identifier: Apache-2.0
//
// The array forms of operator new and delete are replaced for the whole test program, to make an
// allocation fail and to see what memory holds when it is given back. ThreadSanitizer brings its
// own and keeps them: there these tests are skipped.
#include "sealane/crypto/bounce_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <span>
#include <tuple>
#include <utility>

#include "sealane/crypto/openssl/lane_runner.h"

namespace {

size_t g_num_allocations = 0;
bool g_fail_allocations = false;
const void* g_watched = nullptr;  // memory whose release is awaited
size_t g_watched_size = 0;
bool g_released_clean = false;  // it was released, all zero

void* Allocate(size_t size) {
  ++g_num_allocations;
  return std::malloc(std::max(size, size_t{1}));
}

void Release(void* memory) {
  if (memory != nullptr && memory == g_watched) {
    const std::span bytes(static_cast<const uint8_t*>(memory), g_watched_size);
    g_released_clean = std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
    g_watched = nullptr;
  }
  std::free(memory);
}

void Watch(std::span<const uint8_t> memory) {
  g_watched = memory.data();
  g_watched_size = memory.size();
  g_released_clean = false;
}

}  // namespace

void* operator new[](size_t size) {
  void* memory = Allocate(size);
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new[](size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return g_fail_allocations ? nullptr : Allocate(size);
}
void operator delete[](void* memory) noexcept { Release(memory); }
void operator delete[](void* memory, size_t /*size*/) noexcept { Release(memory); }
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { Release(memory); }

namespace sealane::crypto {
namespace {

TEST(BounceBuffer, Get_GrowsOnDemandAndKeepsWhatItHas) {
  BounceBuffer buffer;
  EXPECT_EQ(buffer.capacity(), 0U);
  EXPECT_EQ(buffer.Get(1).size(), 1U);
  const size_t small = buffer.capacity();
  const uint8_t* const data = buffer.Get(small).data();
  EXPECT_EQ(buffer.Get(5).data(), data);
  EXPECT_EQ(buffer.capacity(), small);
  EXPECT_EQ(buffer.Get(small + 1).size(), small + 1);
  EXPECT_GT(buffer.capacity(), small);
  EXPECT_EQ(buffer.Get(kMaxPayload).size(), kMaxPayload);
  EXPECT_EQ(buffer.capacity(), kMaxPayload);
}

TEST(BounceBuffer, Trim_KeepsNoMoreThanAgreed) {
  BounceBuffer buffer;
  std::ignore = buffer.Get(BounceBuffer::kKeptCapacity);
  buffer.Trim();
  EXPECT_EQ(buffer.capacity(), BounceBuffer::kKeptCapacity);
  std::ignore = buffer.Get(BounceBuffer::kKeptCapacity + 1);
  buffer.Trim();
  EXPECT_EQ(buffer.capacity(), 0U);
  EXPECT_EQ(buffer.Get(16).size(), 16U);
}

bool OperatorsAreReplaced() {
  const size_t before = g_num_allocations;
  BounceBuffer buffer;
  std::ignore = buffer.Get(1);
  return g_num_allocations != before;
}

// The longest use counts, not the last.
void FillThenUseLess(BounceBuffer& buffer, size_t size) {
  const std::span<uint8_t> bytes = buffer.Get(size);
  std::ranges::fill(bytes, uint8_t{0x77});
  Watch(bytes);
  std::ignore = buffer.Get(16);
}

TEST(BounceBuffer, GivenBack_IsWipedBefore) {
  if (!OperatorsAreReplaced()) GTEST_SKIP() << "the sanitizer's operator new is in use";
  {
    BounceBuffer buffer;
    FillThenUseLess(buffer, 1000);
  }
  EXPECT_TRUE(g_released_clean) << "at the end";

  BounceBuffer buffer;
  FillThenUseLess(buffer, 1000);
  std::ignore = buffer.Get(BounceBuffer::kKeptCapacity + 1);
  EXPECT_TRUE(g_released_clean) << "when growing";
  FillThenUseLess(buffer, BounceBuffer::kKeptCapacity + 1);
  buffer.Trim();
  EXPECT_TRUE(g_released_clean) << "when trimming";
}

TEST(OpenSslLane_Run, NoMemoryForTheBounce_IsErrorAndTheNextOpIsRight) {
  if (!OperatorsAreReplaced()) GTEST_SKIP() << "the sanitizer's operator new is in use";
  LaneRunner runner;
  const Bytes key = TestBytes(16, 61);
  const auto session = runner.Open(CipherAlgorithm::kAesEcb, Direction::kEncrypt, key);
  Bytes in = TestBytes(32, 62);
  Bytes out(32, 0xa5);
  const std::array<Segment, 2> swapped = {Segment{in.data() + 16, 16}, Segment{in.data(), 16}};
  const std::array<Segment, 1> dst = {Segment{out.data(), 32}};
  g_fail_allocations = true;
  const Status status = runner.Run(*session, {}, swapped, dst, 32);
  g_fail_allocations = false;
  EXPECT_EQ(status, Status::kError);
  EXPECT_EQ(out, Bytes(32, 0xa5));
  EXPECT_EQ(runner.Run(*session, {}, swapped, dst, 32), Status::kOk);
  std::ranges::rotate(in, in.begin() + 16);
  EXPECT_EQ(out, ReferenceCrypt(CipherAlgorithm::kAesEcb, Direction::kEncrypt, key, {}, in));
}

}  // namespace
}  // namespace sealane::crypto
