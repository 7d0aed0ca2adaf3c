// SPDX-License-Identifier: Apache-2.0
//
// DescriptorChain: one request's buffers as the driver described them (virtio 1.3, 2.7.5). Each
// 16-byte descriptor is copied once and the copy is validated and translated; ring memory is not
// read again for this request.
//
// A chain object is filled again and again, so that its lists keep their memory. Owned by a device
// queue's request pool; one thread. The ranges are valid as long as the GuestMemory they came from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sealane/mem/guest_memory.h"
#include "sealane/mem/guest_range.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::ring {

class DescriptorChain {
 public:
  // Most descriptors of one chain, whether in the ring or in an indirect table.
  static constexpr uint32_t kMaxDescriptors = wire::kMaxQueueSize;

  DescriptorChain() = default;
  DescriptorChain(DescriptorChain&&) = default;
  DescriptorChain& operator=(DescriptorChain&&) = default;

  // Walks the chain that begins at `head` (< queue_size) in `table`, which holds queue_size
  // descriptors and is 16-aligned. A chain that breaks a rule is bad(); it must still be given back
  // to the driver.
  void Load(const mem::GuestMemory& memory, const mem::GuestRange& table, uint32_t queue_size,
            uint16_t head);

  uint16_t head() const { return head_; }
  bool bad() const { return bad_; }

  // What the driver wants read, and where it wants results, in order. Empty ranges are left out.
  std::span<const mem::GuestRange> readable() const { return readable_; }
  std::span<const mem::GuestRange> writable() const { return writable_; }
  uint64_t readable_len() const { return readable_len_; }
  uint64_t writable_len() const { return writable_len_; }

  // Writes the last writable byte, the place of a request's status. False if the chain has none, or
  // is bad in a way that leaves it unknown.
  bool WriteLastByte(uint8_t value) const;

  // Forgets the chain and gives back the memory of unusually long lists, so that a pool of chains
  // stays small whatever drivers send. Call when the chain is done with.
  void Clear() { Reset(0); }

 private:
  enum class Step : uint8_t { kGoOn, kEnd };

  void Reset(uint16_t head);
  Step Add(const mem::GuestMemory& memory, const wire::vring_desc& desc);
  void LoadIndirect(const mem::GuestMemory& memory, uint64_t addr, uint32_t len);
  void AddWritable(const mem::GuestMemory& memory, mem::GuestAddr addr, uint32_t len);
  Step Break();

  std::vector<mem::GuestRange> readable_;
  std::vector<mem::GuestRange> writable_;
  uint64_t readable_len_ = 0;
  uint64_t writable_len_ = 0;
  mem::GuestRange last_byte_;  // empty if unknown
  uint16_t head_ = 0;
  bool seen_writable_ = false;
  bool bad_ = false;
};

}  // namespace sealane::ring
