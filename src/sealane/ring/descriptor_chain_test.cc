// SPDX-License-Identifier: Apache-2.0
//
// Chains that a device must accept, however they are cut and wherever they lie. Those it must
// refuse are in descriptor_chain_reject_test.cc.
#include "sealane/ring/descriptor_chain.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "sealane/testing/chain_builder.h"

namespace sealane::ring {
namespace {

using mem::GuestAddr;
using testing::ChainBuilder;
using testing::FakeDriverQueue;
using testing::GuestFixture;
using testing::ReadRanges;
using Bytes = std::vector<uint8_t>;

constexpr uint16_t kNext = wire::VRING_DESC_F_NEXT;
constexpr uint16_t kWrite = wire::VRING_DESC_F_WRITE;
constexpr uint16_t kIndirect = wire::VRING_DESC_F_INDIRECT;

Bytes Pattern(size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

class DescriptorChainTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kSize = 16;

  void Load(const FakeDriverQueue& queue, uint16_t head) {
    const auto table =
        guest_.memory()->Translate(queue.addresses().desc, wire::DescTableSize(queue.size()));
    chain_.Load(*guest_.memory(), table.value(), queue.size(), head);
  }
  void Load(uint16_t head) { Load(queue_, head); }

  // The chain is good, has these bytes to read and so many to write.
  void ExpectGood(const Bytes& readable, uint64_t writable_len) const {
    EXPECT_FALSE(chain_.bad());
    EXPECT_EQ(ReadRanges(chain_.readable()), readable);
    EXPECT_EQ(chain_.readable_len(), readable.size());
    EXPECT_EQ(chain_.writable_len(), writable_len);
    EXPECT_EQ(ReadRanges(chain_.writable()).size(), writable_len);
  }

  // The status byte lands in the last of the request's writable bytes and nowhere else.
  void ExpectLastByte(const ChainBuilder& request) const {
    Bytes expected = request.written();
    expected.back() = 0x5a;
    ASSERT_TRUE(chain_.WriteLastByte(0x5a));
    EXPECT_EQ(request.written(), expected);
  }

  GuestFixture guest_;
  FakeDriverQueue queue_{guest_, kSize};
  ChainBuilder request_{guest_};
  DescriptorChain chain_;
};

TEST_F(DescriptorChainTest, Load_DirectChain_GivesRangesInOrder) {
  request_.Readable(Bytes{1, 2, 3}).Readable(Bytes{4}).Writable(5).Writable(1);
  Load(request_.OfferDirect(queue_, 3));
  EXPECT_EQ(chain_.head(), 3);
  ExpectGood({1, 2, 3, 4}, 6);
  EXPECT_EQ(chain_.readable().size(), 2U);
  EXPECT_EQ(chain_.writable().size(), 2U);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_IndirectChain_GivesRangesInOrder) {
  request_.Readable(Pattern(72)).Readable(Pattern(16)).Writable(64).Writable(1);
  Load(request_.OfferIndirect(queue_, 15));
  EXPECT_EQ(chain_.head(), 15);
  Bytes readable = Pattern(72);
  const Bytes iv = Pattern(16);
  readable.insert(readable.end(), iv.begin(), iv.end());
  ExpectGood(readable, 65);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_DirectThenIndirect_JoinsBoth) {
  request_.Readable(Bytes{7, 8}).Writable(3);
  request_.OfferIndirect(queue_, 9);
  const GuestAddr first = guest_.Allocate(2);
  guest_.Write(first, Bytes{5, 6});
  queue_.SetDesc(2, first, 2, kNext, 9);
  Load(2);
  EXPECT_EQ(chain_.head(), 2);
  ExpectGood({5, 6, 7, 8}, 3);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_WriteFlagOnIndirectDescriptor_IsIgnored) {
  request_.Readable(Bytes{1, 2}).Writable(2);
  request_.OfferIndirect(queue_, 0);
  const auto desc = guest_.Read(queue_.addresses().desc, 16);
  Bytes with_write = desc;
  with_write[12] = static_cast<uint8_t>(kIndirect | kWrite);
  guest_.Write(queue_.addresses().desc, with_write);
  Load(0);
  ExpectGood({1, 2}, 2);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_OneDescriptorPerByte_Direct) {
  FakeDriverQueue queue(guest_, 128);
  request_.Readable(Pattern(72)).Readable(Pattern(3)).Writable(33).CutInto(1);
  Load(queue, request_.OfferDirect(queue, 20));
  Bytes readable = Pattern(72);
  readable.insert(readable.end(), {1, 2, 3});
  ExpectGood(readable, 33);
  EXPECT_EQ(chain_.readable().size(), 75U);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_OneDescriptorPerByte_Indirect) {
  request_.Readable(Pattern(200)).Writable(150).CutInto(1);
  Load(request_.OfferIndirect(queue_, 4));
  ExpectGood(Pattern(200), 150);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_MisalignedIndirectTable_IsReadByBytes) {
  for (uint64_t align = 0; align < 16; ++align) {
    SCOPED_TRACE(align);
    ChainBuilder request(guest_);
    request.Readable(Bytes{9, 8, 7}).Writable(2);
    Load(request.OfferIndirect(queue_, 1, align));
    ExpectGood({9, 8, 7}, 2);
    ExpectLastByte(request);
  }
}

TEST_F(DescriptorChainTest, Load_IndirectTableAcrossTheRegionBoundary_IsRead) {
  request_.Readable(Bytes{9, 8, 7}).Writable(4).Writable(1);
  request_.OfferIndirect(queue_, 0);
  const auto desc = guest_.Read(queue_.addresses().desc, 8);
  uint64_t table = 0;
  std::copy_n(desc.begin(), 8, reinterpret_cast<uint8_t*>(&table));  // SAFETY: plain bytes
  // Every place where the boundary cuts the table, also in the middle of a descriptor.
  for (uint64_t before = 1; before < 48; ++before) {
    SCOPED_TRACE(before);
    const GuestAddr at{Raw(guest_.boundary()) - before};
    guest_.Write(at, guest_.Read(GuestAddr{table}, 48));
    queue_.SetDesc(0, at, 48, kIndirect);
    Load(0);
    ExpectGood({9, 8, 7}, 5);
    ExpectLastByte(request_);
  }
}

TEST_F(DescriptorChainTest, Load_BufferAcrossTheRegionBoundary_BecomesTwoRanges) {
  const GuestAddr source{Raw(guest_.boundary()) - 100};
  const GuestAddr target{Raw(guest_.boundary()) - 1};
  guest_.Write(source, Pattern(150));
  request_.ReadableAt(source, 150).WritableAt(target, 3);
  Load(request_.OfferDirect(queue_));
  ExpectGood(Pattern(150), 3);
  EXPECT_EQ(chain_.readable().size(), 2U);
  EXPECT_EQ(chain_.writable().size(), 2U);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_BuffersAtTheEdgesOfMemory_AreGood) {
  const GuestAddr last{Raw(guest_.end()) - 1};
  guest_.Write(GuestAddr{GuestFixture::kBase}, Bytes{0x42});
  request_.ReadableAt(GuestAddr{GuestFixture::kBase}, 1).WritableAt(last, 1);
  Load(request_.OfferDirect(queue_, 8));
  EXPECT_FALSE(chain_.bad());
  EXPECT_TRUE(chain_.WriteLastByte(1));
  EXPECT_EQ(guest_.Read(last, 1), Bytes{1});
}

TEST_F(DescriptorChainTest, Load_EmptyDescriptors_AreLeftOut) {
  const GuestAddr nowhere{0};
  request_.Readable({}).Readable(Bytes{1}).ReadableAt(nowhere, 0).Readable(Bytes{2});
  request_.Writable(0).Writable(2).WritableAt(nowhere, 0).Writable(1).WritableAt(nowhere, 0);
  Load(request_.OfferDirect(queue_));
  ExpectGood({1, 2}, 3);
  EXPECT_EQ(chain_.readable().size(), 2U);
  EXPECT_EQ(chain_.writable().size(), 2U);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_OnlyEmptyDescriptors_IsGoodWithoutALastByte) {
  request_.Readable({}).Writable(0);
  Load(request_.OfferDirect(queue_));
  ExpectGood({}, 0);
  EXPECT_FALSE(chain_.WriteLastByte(0));
}

TEST_F(DescriptorChainTest, Load_NothingWritable_HasNoLastByte) {
  request_.Readable(Bytes{1, 2, 3});
  Load(request_.OfferDirect(queue_));
  ExpectGood({1, 2, 3}, 0);
  EXPECT_FALSE(chain_.WriteLastByte(0));
}

TEST_F(DescriptorChainTest, Load_OnlyWritable_IsGood) {
  request_.Writable(16);
  Load(request_.OfferDirect(queue_));
  ExpectGood({}, 16);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_NextFieldWithoutNextFlag_IsIgnored) {
  const GuestAddr buffer = guest_.Allocate(4);
  queue_.SetDesc(0, buffer, 4, kWrite, 0xffff);
  Load(0);
  ExpectGood({}, 4);
}

TEST_F(DescriptorChainTest, Load_UnknownFlags_AreIgnored) {
  const GuestAddr buffer = guest_.Allocate(4);
  queue_.SetDesc(0, buffer, 4, static_cast<uint16_t>(0xfff8 | kWrite));
  Load(0);
  ExpectGood({}, 4);
}

TEST_F(DescriptorChainTest, Load_AsLongAsTheQueue_IsGood) {
  request_.Readable(Pattern(10)).Writable(6).CutInto(1);
  Load(request_.OfferDirect(queue_));
  ASSERT_EQ(request_.num_descriptors(), kSize);
  ExpectGood(Pattern(10), 6);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_LongestDirectChain_IsGood) {
  FakeDriverQueue queue(guest_, wire::kMaxQueueSize);
  request_.Readable(Pattern(wire::kMaxQueueSize - 2)).Writable(2).CutInto(1);
  Load(queue, request_.OfferDirect(queue));
  ExpectGood(Pattern(wire::kMaxQueueSize - 2), 2);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_LongestIndirectChain_IsGood) {
  request_.Readable(Pattern(1)).Writable(wire::kMaxQueueSize - 1).CutInto(1);
  Load(request_.OfferIndirect(queue_, 0, 1));
  ExpectGood(Pattern(1), wire::kMaxQueueSize - 1);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_ExactlyFourGiB_IsGood) {
  constexpr uint32_t kAll = 8 << 20;  // the fixture's whole memory
  for (int i = 0; i < 512; ++i) request_.ReadableAt(GuestAddr{GuestFixture::kBase}, kAll);
  Load(request_.OfferIndirect(queue_));
  EXPECT_FALSE(chain_.bad());
  EXPECT_EQ(chain_.readable_len(), uint64_t{1} << 32);
}

TEST_F(DescriptorChainTest, Load_AfterABadChain_BeginsAfresh) {
  request_.Readable(Bytes{1, 2}).Writable(2);
  request_.OfferDirect(queue_, 0);
  const GuestAddr buffer = guest_.Allocate(1);
  queue_.SetDesc(8, buffer, 1, kWrite | kNext, 8);
  Load(8);
  ASSERT_TRUE(chain_.bad());
  Load(0);
  EXPECT_EQ(chain_.head(), 0);
  ExpectGood({1, 2}, 2);
  ExpectLastByte(request_);
}

TEST_F(DescriptorChainTest, Load_AfterAGoodChain_ForgetsItsLastByte) {
  request_.Writable(2);
  Load(request_.OfferDirect(queue_, 0));
  ChainBuilder readable(guest_);
  readable.Readable(Bytes{1});
  Load(readable.OfferDirect(queue_, 1));
  ExpectGood({1}, 0);
  EXPECT_FALSE(chain_.WriteLastByte(0));
}

}  // namespace
}  // namespace sealane::ring
