// SPDX-License-Identifier: Apache-2.0
//
// ChainMemory: a ChainShape laid out in guest memory, with guard bytes behind each writable
// descriptor. Borrows the GuestRam. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "crypto_vm.h"

namespace sealane::testing {

class ChainMemory {
 public:
  ChainMemory(GuestRam& ram, const ChainShape& shape);

  // Writes the descriptors, from slot 0 on, into the ring or into an indirect table.
  void WriteDescriptors(DriverRing& ring) const;

  std::vector<uint8_t> Written() const;
  bool GuardsChanged() const;

 private:
  void AddReadable(const std::vector<uint8_t>& bytes);
  void AddWritable(uint32_t len, bool in_place);
  void Link();

  GuestRam* ram_;
  const ChainShape* shape_;
  std::vector<wire::vring_desc> descs_;
  size_t num_readable_;
};

}  // namespace sealane::testing
