// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/scatter_arena.h"

#include <algorithm>

namespace sealane::crypto {

const std::vector<Layout>& Layouts() {
  static const std::vector<Layout> layouts = {
      {"one piece", {{10000, 0}}},
      {"one piece at offset 1", {{10000, 1}}},
      {"one piece at offset 8", {{10000, 8}}},
      {"two even pieces", {{5000, 0}, {5000, 0}}},
      {"three uneven misaligned pieces", {{1900, 33}, {3300, 7}, {4800, 18}}},
      {"two pieces across pages", {{7500, kPage - 32}, {2500, kPage - 7}}},
      {"one byte per segment", {}},
  };
  return layouts;
}

Arena::Arena(const Layout& layout, size_t len) {
  std::vector<size_t> starts;
  std::vector<size_t> sizes;
  size_t end = 0;
  size_t placed = 0;
  const size_t num_pieces = layout.pieces.empty() ? len : layout.pieces.size();
  for (size_t i = 0; i < num_pieces; ++i) {
    const bool last = i + 1 == num_pieces;
    // Bytes apart, so that they do not join into one piece again.
    const size_t start =
        layout.pieces.empty() ? end + 1 : (end + kPage) / kPage * kPage + layout.pieces[i].offset;
    const size_t size = layout.pieces.empty() ? 1
                        : last                ? len - placed
                                              : len * layout.pieces[i].share / 10000;
    starts.push_back(start);
    sizes.push_back(size);
    placed += size;
    end = start + size;
  }
  memory_.assign(end + kPage, kPoison);
  for (size_t i = 0; i < num_pieces; ++i) segments_.push_back({&memory_[starts[i]], sizes[i]});
}

void Arena::Write(const Bytes& payload) {
  auto from = payload.begin();
  for (const Segment& segment : segments_) {
    std::copy_n(from, segment.size, segment.data);
    from += static_cast<std::ptrdiff_t>(segment.size);
  }
}

Bytes Arena::Read() const {
  Bytes payload;
  for (const Segment& segment : segments_) {
    payload.insert(payload.end(), segment.data, segment.data + segment.size);
  }
  return payload;
}

bool Arena::OnlyPayloadWasTouched() {
  for (const Segment& segment : segments_) std::fill_n(segment.data, segment.size, kPoison);
  return memory_ == Bytes(memory_.size(), kPoison);
}

}  // namespace sealane::crypto
