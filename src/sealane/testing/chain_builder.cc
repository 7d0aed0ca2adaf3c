// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/chain_builder.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sealane::testing {

using mem::GuestAddr;

ChainBuilder& ChainBuilder::Readable(std::span<const uint8_t> bytes) {
  const GuestAddr addr = guest_.Allocate(bytes.size(), 1);
  guest_.Write(addr, bytes);
  return ReadableAt(addr, static_cast<uint32_t>(bytes.size()));
}

ChainBuilder& ChainBuilder::Writable(uint32_t len) {
  const GuestAddr addr = guest_.Allocate(len, 1);
  guest_.Write(addr, std::vector<uint8_t>(len, 0xee));
  return WritableAt(addr, len);
}

ChainBuilder& ChainBuilder::ReadableAt(GuestAddr addr, uint32_t len) {
  buffers_.push_back({.addr = addr, .len = len, .writable = false});
  return *this;
}

ChainBuilder& ChainBuilder::WritableAt(GuestAddr addr, uint32_t len) {
  buffers_.push_back({.addr = addr, .len = len, .writable = true});
  return *this;
}

ChainBuilder& ChainBuilder::CutInto(uint32_t len) {
  std::vector<Buffer> pieces;
  for (const Buffer& buffer : buffers_) {
    for (uint32_t offset = 0; offset < buffer.len; offset += len) {
      pieces.push_back({.addr = GuestAddr{Raw(buffer.addr) + offset},
                        .len = std::min(len, buffer.len - offset),
                        .writable = buffer.writable});
    }
  }
  buffers_ = std::move(pieces);
  return *this;
}

uint16_t ChainBuilder::OfferDirect(FakeDriverQueue& queue, uint16_t first) {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const bool last = i + 1 == buffers_.size();
    const auto flags = static_cast<uint16_t>((buffers_[i].writable ? wire::VRING_DESC_F_WRITE : 0) |
                                             (last ? 0 : wire::VRING_DESC_F_NEXT));
    const auto index = static_cast<uint16_t>(first + i);
    queue.SetDesc(index, buffers_[i].addr, buffers_[i].len, flags,
                  static_cast<uint16_t>(index + 1));
  }
  queue.Offer(first);
  return first;
}

uint16_t ChainBuilder::OfferIndirect(FakeDriverQueue& queue, uint16_t head, uint64_t align) {
  std::vector<wire::vring_desc> table(buffers_.size());
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const bool last = i + 1 == buffers_.size();
    table[i].addr.set(Raw(buffers_[i].addr));
    table[i].len.set(buffers_[i].len);
    table[i].flags.set(static_cast<uint16_t>((buffers_[i].writable ? wire::VRING_DESC_F_WRITE : 0) |
                                             (last ? 0 : wire::VRING_DESC_F_NEXT)));
    table[i].next.set(last ? uint16_t{0} : static_cast<uint16_t>(i + 1));
  }
  const uint64_t bytes = table.size() * sizeof(wire::vring_desc);
  // An odd alignment is meant: one byte further than an aligned place.
  const GuestAddr aligned = guest_.Allocate(bytes + 16, 16);
  const GuestAddr addr{Raw(aligned) + align % 16};
  // SAFETY: descriptors are plain bytes, written out as such.
  guest_.Write(addr, {reinterpret_cast<const uint8_t*>(table.data()), bytes});
  queue.SetDesc(head, addr, static_cast<uint32_t>(bytes), wire::VRING_DESC_F_INDIRECT);
  queue.Offer(head);
  return head;
}

std::vector<uint8_t> ChainBuilder::written() const {
  std::vector<uint8_t> all;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.writable) continue;
    const auto bytes = guest_.Read(buffer.addr, buffer.len);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

}  // namespace sealane::testing
