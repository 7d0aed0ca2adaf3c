// SPDX-License-Identifier: Apache-2.0
//
// Chains that break one rule each (virtio 1.3, 2.7.4 and 2.7.5; faults row 5). Each goes through a
// device queue, followed by a good chain: the bad one is recognised and given back, and the good
// one behind it is served.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "sealane/ring/device/split_queue.h"
#include "sealane/testing/chain_builder.h"

namespace sealane::ring {
namespace {

using device::SplitQueue;
using mem::GuestAddr;
using testing::ChainBuilder;
using testing::FakeDriverQueue;
using testing::GuestFixture;
using Bytes = std::vector<uint8_t>;

constexpr uint16_t kNext = wire::VRING_DESC_F_NEXT;
constexpr uint16_t kWrite = wire::VRING_DESC_F_WRITE;
constexpr uint16_t kIndirect = wire::VRING_DESC_F_INDIRECT;
constexpr uint32_t kSize = 16;
constexpr uint32_t kWholeMemory = 8 << 20;

// A guest with a queue, and places for a bad chain to point at.
struct Rig {
  struct Desc {
    GuestAddr addr;
    uint32_t len;
    uint16_t flags = 0;
    uint16_t next = 0;
  };

  Rig() { guest.Write(status, Bytes(1, 0xee)); }

  // A table of the given descriptors in memory, not yet pointed at.
  GuestAddr Table(std::initializer_list<Desc> descs) {
    const GuestAddr at = guest.Allocate(16 * descs.size());
    uint64_t offset = 0;
    for (const Desc& desc : descs) {
      const wire::vring_desc wire_desc{.addr = Le64(Raw(desc.addr)),
                                       .len = Le32(desc.len),
                                       .flags = Le16(desc.flags),
                                       .next = Le16(desc.next)};
      guest.Write(GuestAddr{Raw(at) + offset}, std::bit_cast<std::array<uint8_t, 16>>(wire_desc));
      offset += 16;
    }
    return at;
  }
  void Direct(std::initializer_list<Desc> descs) {
    uint32_t index = 0;
    for (const Desc& desc : descs) {
      queue.SetDesc(index++, desc.addr, desc.len, desc.flags, desc.next);
    }
  }
  void Indirect(std::initializer_list<Desc> descs) {
    queue.SetDesc(0, Table(descs), static_cast<uint32_t>(16 * descs.size()), kIndirect);
  }

  GuestFixture guest;
  FakeDriverQueue queue{guest, kSize};
  GuestAddr data = guest.Allocate(64);
  GuestAddr status = guest.Allocate(1);
  GuestAddr before_end{Raw(guest.end()) - 4};
  GuestAddr before_wrap{~uint64_t{0} - 3};  // the last 4 addresses
};

struct BadChain {
  const char* name;
  void (*build)(Rig&);  // a chain that begins at descriptor 0
  bool has_last_byte;   // Rig::status is known to be the place of the status
};

const BadChain kBadChains[] = {
    {"LoopToItself", [](Rig& r) { r.Direct({{r.data, 8, kNext, 0}}); }, false},
    {"WritableLoopToItself", [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 0}}); }, false},
    {"CycleOfTwo", [](Rig& r) { r.Direct({{r.data, 8, kNext, 1}, {r.data, 8, kNext, 0}}); }, false},
    {"CycleBehindTheHead",
     [](Rig& r) {
       r.Direct({{r.data, 8, kNext, 1}, {r.data, 8, kNext, 2}, {r.data, 8, kNext, 1}});
     },
     false},
    {"CycleOfEmptyDescriptors",
     [](Rig& r) { r.Direct({{r.data, 0, kNext, 1}, {r.data, 0, kNext, 0}}); }, false},
    {"NextIsTheSize", [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, kSize}}); }, false},
    {"NextIs65535", [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 65535}}); }, false},

    {"IndirectWithNext",
     [](Rig& r) {
       const GuestAddr table = r.Table({{r.status, 1, kWrite}});
       r.Direct({{table, 16, kIndirect | kNext, 1}, {r.status, 1, kWrite}});
     },
     false},
    {"IndirectWithNextBehindAWritable",
     [](Rig& r) {
       const GuestAddr table = r.Table({{r.status, 1, kWrite}});
       r.Direct({{r.status, 1, kWrite | kNext, 1}, {table, 16, kIndirect | kNext, 2}});
     },
     false},
    {"IndirectEmpty", [](Rig& r) { r.Direct({{r.Table({{r.status, 1, kWrite}}), 0, kIndirect}}); },
     false},
    {"IndirectShorterThanADescriptor",
     [](Rig& r) { r.Direct({{r.Table({{r.status, 1, kWrite}}), 15, kIndirect}}); }, false},
    {"IndirectNotWholeDescriptors",
     [](Rig& r) {
       r.Direct({{r.Table({{r.status, 1, kWrite}, {r.status, 1, kWrite}}), 24, kIndirect}});
     },
     false},
    {"IndirectTooLong",
     [](Rig& r) {
       const GuestAddr table = r.Table({{r.status, 1, kWrite}});
       r.guest.Allocate(uint64_t{16} * DescriptorChain::kMaxDescriptors);
       r.Direct({{table, 16 * (DescriptorChain::kMaxDescriptors + 1), kIndirect}});
     },
     false},
    {"IndirectTableOutsideMemory", [](Rig& r) { r.Direct({{r.guest.end(), 32, kIndirect}}); },
     false},
    {"IndirectTableInANullPage", [](Rig& r) { r.Direct({{GuestAddr{0}, 16, kIndirect}}); }, false},
    {"IndirectTableLeavesMemory", [](Rig& r) { r.Direct({{r.before_end, 32, kIndirect}}); }, false},
    {"IndirectTableWraps", [](Rig& r) { r.Direct({{r.before_wrap, 32, kIndirect}}); }, false},
    {"IndirectNested",
     [](Rig& r) {
       const GuestAddr inner = r.Table({{r.status, 1, kWrite}});
       r.Indirect({{r.data, 8, kNext, 1}, {inner, 16, kIndirect}});
     },
     false},
    {"IndirectNextOutOfTable",
     [](Rig& r) { r.Indirect({{r.data, 8, kNext, 1}, {r.status, 1, kWrite | kNext, 2}}); }, false},
    {"IndirectNextIsJustBehindTheTable",
     [](Rig& r) {
       const GuestAddr table =
           r.Table({{r.data, 8, kNext, 2}, {r.status, 1, kWrite}, {r.status, 1, kWrite}});
       r.Direct({{table, 32, kIndirect}});
     },
     false},
    {"IndirectLoopToItself",
     [](Rig& r) { r.Indirect({{r.data, 8, kNext, 1}, {r.status, 1, kWrite | kNext, 1}}); }, false},
    {"IndirectCycleOfTwo",
     [](Rig& r) { r.Indirect({{r.data, 8, kNext, 1}, {r.data, 8, kNext, 0}}); }, false},

    {"ReadableBehindWritable",
     [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 1}, {r.data, 8}}); }, true},
    {"ReadableBetweenWritable",
     [](Rig& r) {
       r.Indirect({{r.data, 8, kWrite | kNext, 1}, {r.data, 8, kNext, 2}, {r.status, 1, kWrite}});
     },
     true},
    {"ReadableBehindEmptyWritable",
     [](Rig& r) {
       r.Direct({{r.data, 0, kWrite | kNext, 1}, {r.data, 8, kNext, 2}, {r.status, 1, kWrite}});
     },
     true},
    {"EmptyReadableBehindWritable",
     [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 1}, {r.data, 0}}); }, true},

    {"ReadableOutsideMemory",
     [](Rig& r) { r.Direct({{r.guest.end(), 8, kNext, 1}, {r.status, 1, kWrite}}); }, true},
    {"ReadableLeavesMemory",
     [](Rig& r) { r.Direct({{r.before_end, 5, kNext, 1}, {r.status, 1, kWrite}}); }, true},
    {"ReadableWraps",
     [](Rig& r) { r.Direct({{r.before_wrap, 8, kNext, 1}, {r.status, 1, kWrite}}); }, true},
    {"WritableOutsideMemory",
     [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 1}, {r.guest.end(), 1, kWrite}}); },
     false},
    {"WritableLeavesMemory",
     [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 1}, {r.before_end, 5, kWrite}}); },
     false},
    {"WritableWraps",
     [](Rig& r) { r.Direct({{r.status, 1, kWrite | kNext, 1}, {r.before_wrap, 0x20000, kWrite}}); },
     false},
    {"WritableOutsideMemoryBeforeAGoodOne",
     [](Rig& r) { r.Direct({{r.guest.end(), 8, kWrite | kNext, 1}, {r.status, 1, kWrite}}); },
     true},
    {"LongestLength",
     [](Rig& r) { r.Direct({{r.data, 0xffffffff, kNext, 1}, {r.status, 1, kWrite}}); }, true},
    {"MoreThanFourGiB",
     [](Rig& r) {
       ChainBuilder chain(r.guest);
       for (int i = 0; i < 512; ++i) chain.ReadableAt(GuestAddr{GuestFixture::kBase}, kWholeMemory);
       chain.WritableAt(r.status, 1);
       FakeDriverQueue elsewhere(r.guest, 1);
       chain.OfferIndirect(elsewhere);
       const Bytes desc = r.guest.Read(elsewhere.addresses().desc, 16);
       r.guest.Write(r.queue.addresses().desc, desc);
     },
     true},
};

void PrintTo(const BadChain& chain, std::ostream* os) { *os << chain.name; }

class BadChainTest : public ::testing::TestWithParam<BadChain> {};

TEST_P(BadChainTest, Pop_OneBrokenRule_IsBadAndTheNextIsFine) {
  Rig rig;
  GetParam().build(rig);
  rig.queue.Offer(0);
  ChainBuilder good(rig.guest);
  good.Readable(Bytes{1, 2, 3}).Writable(4);
  good.OfferDirect(rig.queue, 12);
  rig.queue.Publish();
  auto queue =
      SplitQueue::Create(rig.guest.memory(), {.size = kSize, .location = rig.queue.location()});
  ASSERT_TRUE(queue.has_value());

  DescriptorChain chains[2];
  DescriptorChain* const pointers[] = {&chains[0], &chains[1]};
  ASSERT_EQ(queue->Pop(pointers), 2U);
  EXPECT_TRUE(chains[0].bad());
  EXPECT_EQ(chains[0].head(), 0);
  const bool has_last_byte = GetParam().has_last_byte;
  EXPECT_EQ(chains[0].WriteLastByte(1), has_last_byte);
  EXPECT_EQ(rig.guest.Read(rig.status, 1), Bytes(1, has_last_byte ? 1 : 0xee));

  EXPECT_FALSE(chains[1].bad());
  EXPECT_EQ(chains[1].head(), 12);
  EXPECT_EQ(testing::ReadRanges(chains[1].readable()), (Bytes{1, 2, 3}));
  EXPECT_TRUE(chains[1].WriteLastByte(0));
  EXPECT_EQ(good.written(), (Bytes{0xee, 0xee, 0xee, 0}));

  const uint32_t len = has_last_byte ? 1 : 0;
  const Completion done[] = {{.head = chains[0].head(), .len = len}, {.head = 12, .len = 4}};
  queue->Complete(done);
  EXPECT_FALSE(queue->broken());
  const auto used = rig.queue.TakeUsed();
  ASSERT_EQ(used.size(), 2U);
  EXPECT_EQ(used[0], (FakeDriverQueue::UsedElem{0, len}));
  EXPECT_EQ(used[1], (FakeDriverQueue::UsedElem{12, 4}));
}

INSTANTIATE_TEST_SUITE_P(Rules, BadChainTest, ::testing::ValuesIn(kBadChains),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// Memory at the very top and at the very bottom of the address space: a table must not continue
// from one to the other.
TEST(DescriptorChainWrap, Load_IndirectTableWrapsIntoMemory_IsBad) {
  constexpr uint64_t kRegion = 4095;
  GuestFixture guest(kRegion);
  const auto regions = guest.memory()->regions();
  auto memory = mem::GuestMemory::Create(
      {{.guest_addr = GuestAddr{~uint64_t{0} - kRegion}, .mapping = regions[0].mapping},
       {.guest_addr = GuestAddr{0},
        .frontend_addr = mem::FrontendAddr{kRegion},
        .mapping = regions[1].mapping}});
  ASSERT_TRUE(memory.has_value());
  const auto write = [&](uint64_t at, const wire::vring_desc& desc) {
    guest.Write(GuestAddr{at}, std::bit_cast<std::array<uint8_t, 16>>(desc));
  };
  // Descriptor 256 of a table that begins 4096 below the top would lie at address 0.
  const uint64_t top = GuestFixture::kBase;
  const uint64_t bottom = GuestFixture::kBase + kRegion;
  write(top, {.addr = Le64(64), .len = Le32(1), .flags = Le16(kNext), .next = Le16(256)});
  write(bottom, {.addr = Le64(64), .len = Le32(1), .flags = Le16(kWrite), .next = Le16(0)});
  const wire::vring_desc head{.addr = Le64(~uint64_t{0} - kRegion),
                              .len = Le32(8192),
                              .flags = Le16(kIndirect),
                              .next = Le16(0)};
  alignas(16) auto ring = std::bit_cast<std::array<uint8_t, 16>>(head);
  DescriptorChain chain;
  chain.Load(**memory, mem::GuestRange(ring.data(), ring.size()), 1, 0);
  EXPECT_TRUE(chain.bad());
  EXPECT_FALSE(chain.WriteLastByte(0));
}

}  // namespace
}  // namespace sealane::ring
