// SPDX-License-Identifier: Apache-2.0
//
// ChainBuilder: describes one request for a FakeDriverQueue, cut into descriptors in any way,
// direct or indirect.
//
//   ChainBuilder chain(guest);
//   chain.Readable(header).Readable(iv).Writable(17);
//   chain.OfferDirect(queue, first_desc);          // or OfferIndirect
//   … run the device …
//   chain.written();                               // all writable bytes, joined
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sealane/testing/fake_driver_queue.h"
#include "sealane/testing/guest_fixture.h"

namespace sealane::testing {

class ChainBuilder {
 public:
  explicit ChainBuilder(GuestFixture& guest) : guest_(guest) {}

  // One descriptor the device may read, or write. Writable bytes start out as 0xee.
  ChainBuilder& Readable(std::span<const uint8_t> bytes);
  ChainBuilder& Writable(uint32_t len);

  // The same at an address of the caller's choice; nothing is written there.
  ChainBuilder& ReadableAt(mem::GuestAddr addr, uint32_t len);
  ChainBuilder& WritableAt(mem::GuestAddr addr, uint32_t len);

  // Cuts every descriptor so far into pieces of at most `len` bytes.
  ChainBuilder& CutInto(uint32_t len);

  // Writes the descriptors into the queue's table from `first` on and offers the chain. Returns its
  // head.
  uint16_t OfferDirect(FakeDriverQueue& queue, uint16_t first = 0);
  // Writes them into an indirect table (at an address with this alignment) and offers descriptor
  // `head`.
  uint16_t OfferIndirect(FakeDriverQueue& queue, uint16_t head = 0, uint64_t align = 16);

  // All writable bytes as they are now, joined.
  std::vector<uint8_t> written() const;
  size_t num_descriptors() const { return buffers_.size(); }

 private:
  struct Buffer {
    mem::GuestAddr addr;
    uint32_t len;
    bool writable;
  };

  GuestFixture& guest_;
  std::vector<Buffer> buffers_;
};

}  // namespace sealane::testing
