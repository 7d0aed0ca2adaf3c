// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder: the scatter lists of Linux's cipher self-tests (the layouts of
// testmgr's default_cipher_testvec_configs, written anew), and memory in which a payload lies so.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sealane/crypto/op.h"
#include "sealane/crypto/openssl/reference_cipher.h"

namespace sealane::crypto {

inline constexpr size_t kPage = 4096;
inline constexpr uint8_t kPoison = 0xfe;

struct Piece {
  size_t share;   // ten-thousandths of the payload
  size_t offset;  // of its first byte in a page
};

struct Layout {
  const char* name;
  std::vector<Piece> pieces;  // none: one byte per segment
};

const std::vector<Layout>& Layouts();

// Memory with the pieces of one layout in it, each on pages of its own, and poison around them.
class Arena {
 public:
  Arena(const Layout& layout, size_t len);

  std::span<const Segment> segments() const { return segments_; }
  void Write(const Bytes& payload);
  Bytes Read() const;
  // Takes the payload out; whether all that is left is poison.
  bool OnlyPayloadWasTouched();

 private:
  Bytes memory_;
  std::vector<Segment> segments_;
};

}  // namespace sealane::crypto
