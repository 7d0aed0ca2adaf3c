// SPDX-License-Identifier: Apache-2.0
#include "sealane/ring/descriptor_chain.h"

#include <array>
#include <bit>
#include <limits>

#include "sealane/base/checked_math.h"
#include "sealane/mem/shared_access.h"

namespace sealane::ring {
namespace {

using mem::GuestAddr;
using mem::GuestMemory;
using mem::GuestRange;
using wire::vring_desc;

// Lists that grew beyond this for an unusual chain give their memory back.
constexpr size_t kKeptRanges = 256;
// Ranges of one chain: every descriptor could span regions, and memory for a hostile one must stay
// bounded.
constexpr size_t kMaxRanges = 2 * size_t{DescriptorChain::kMaxDescriptors};
// The whole chain may not be longer than 2^32 bytes (2.7.5.2).
constexpr uint64_t kMaxChainBytes = uint64_t{1} << 32;

bool Has(const vring_desc& desc, uint16_t flag) { return (desc.flags.get() & flag) != 0; }

void ClearList(std::vector<GuestRange>& list) {
  list.clear();
  if (list.capacity() > kKeptRanges) list.shrink_to_fit();
}

// An indirect table: usually one range, but a driver may put it across regions and at any alignment
// (2.7.5.3).
class IndirectTable {
 public:
  IndirectTable(const GuestMemory& memory, uint64_t addr, uint32_t len)
      : memory_(memory), addr_(addr) {
    if (const auto range = memory.Translate(GuestAddr{addr}, len)) range_ = *range;
  }

  bool Get(uint32_t index, vring_desc& desc) const {
    std::array<uint8_t, sizeof(vring_desc)> bytes;
    const uint64_t offset = uint64_t{index} * sizeof(vring_desc);
    if (range_.size() != 0) {
      range_.CopyTo(offset, bytes);
    } else if (!memory_.Read(GuestAddr{addr_ + offset}, bytes)) {
      return false;
    }
    desc = std::bit_cast<vring_desc>(bytes);
    return true;
  }

 private:
  const GuestMemory& memory_;
  uint64_t addr_;
  GuestRange range_;
};

}  // namespace

void DescriptorChain::Reset(uint16_t head) {
  ClearList(readable_);
  ClearList(writable_);
  readable_len_ = 0;
  writable_len_ = 0;
  last_byte_ = {};
  head_ = head;
  seen_writable_ = false;
  bad_ = false;
}

void DescriptorChain::Load(const GuestMemory& memory, const GuestRange& table, uint32_t queue_size,
                           uint16_t head) {
  Reset(head);
  uint32_t index = head;
  // A chain cannot have more links than the table has descriptors: one that does is a loop.
  for (uint32_t hops = 0; hops < queue_size; ++hops) {
    const auto desc =
        mem::LoadDescriptor<vring_desc>(mem::RawData(table) + index * sizeof(vring_desc));
    if (Has(desc, wire::VRING_DESC_F_INDIRECT)) {
      // 2.7.5.3.1: never together with NEXT. The WRITE flag of such a descriptor is ignored
      // (2.7.5.3.2).
      if (Has(desc, wire::VRING_DESC_F_NEXT)) {
        Break();
        return;
      }
      LoadIndirect(memory, desc.addr.get(), desc.len.get());
      return;
    }
    if (Add(memory, desc) == Step::kEnd) return;
    index = desc.next.get();
    if (index >= queue_size) break;
  }
  Break();
}

void DescriptorChain::LoadIndirect(const GuestMemory& memory, uint64_t addr, uint32_t len) {
  const uint32_t count = len / sizeof(vring_desc);
  const bool wraps = !CheckedAdd(addr, uint64_t{len});
  if (wraps || len % sizeof(vring_desc) != 0 || count == 0 || count > kMaxDescriptors) {
    Break();
    return;
  }
  const IndirectTable table(memory, addr, len);
  uint32_t index = 0;
  for (uint32_t hops = 0; hops < count; ++hops) {
    vring_desc desc;
    // 2.7.5.3.1: no table inside a table.
    if (!table.Get(index, desc) || Has(desc, wire::VRING_DESC_F_INDIRECT)) break;
    if (Add(memory, desc) == Step::kEnd) return;
    index = desc.next.get();
    if (index >= count) break;
  }
  Break();
}

DescriptorChain::Step DescriptorChain::Add(const GuestMemory& memory, const vring_desc& desc) {
  const GuestAddr addr{desc.addr.get()};
  const uint32_t len = desc.len.get();
  if (Has(desc, wire::VRING_DESC_F_WRITE)) {
    AddWritable(memory, addr, len);
  } else {
    // 2.7.4.2: readable buffers come first, empty ones too.
    if (seen_writable_ || !memory.Append(addr, len, readable_)) bad_ = true;
    readable_len_ += len;
  }
  if (readable_len_ + writable_len_ > kMaxChainBytes) bad_ = true;
  if (readable_.size() + writable_.size() > kMaxRanges) return Break();
  return Has(desc, wire::VRING_DESC_F_NEXT) ? Step::kGoOn : Step::kEnd;
}

void DescriptorChain::AddWritable(const GuestMemory& memory, GuestAddr addr, uint32_t len) {
  seen_writable_ = true;
  if (len == 0) return;
  writable_len_ += len;
  if (!memory.Append(addr, len, writable_)) {
    bad_ = true;
    last_byte_ = {};
    return;
  }
  const GuestRange& last = writable_.back();
  last_byte_ = last.Sub(last.size() - 1, 1);
}

// The rest of the chain cannot be followed, so nobody knows where its last byte is.
DescriptorChain::Step DescriptorChain::Break() {
  bad_ = true;
  last_byte_ = {};
  return Step::kEnd;
}

bool DescriptorChain::WriteLastByte(uint8_t value) const {
  if (last_byte_.size() == 0) return false;
  last_byte_.CopyFrom(0, {&value, 1});
  return true;
}

}  // namespace sealane::ring
