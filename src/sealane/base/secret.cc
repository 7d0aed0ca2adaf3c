// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/secret.h"

#include <string.h>

#include <algorithm>
#include <utility>

namespace sealane {

// An empty span may have no address, and explicit_bzero() must not be given none.
void WipeBytes(std::span<uint8_t> bytes) {
  if (!bytes.empty()) ::explicit_bzero(bytes.data(), bytes.size());
}

SecretBytes::SecretBytes(size_t size)
    : heap_(size > kInlineSize ? std::make_unique<uint8_t[]>(size) : nullptr), size_(size) {}

SecretBytes::SecretBytes(std::span<const uint8_t> bytes) : SecretBytes(bytes.size()) {
  std::ranges::copy(bytes, mutable_bytes().begin());
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept { TakeFrom(other); }

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this != &other) {
    Wipe();
    TakeFrom(other);
  }
  return *this;
}

SecretBytes::~SecretBytes() { Wipe(); }

// Leaves the other one empty.
void SecretBytes::TakeFrom(SecretBytes& other) {
  size_ = std::exchange(other.size_, 0);
  heap_ = std::move(other.heap_);
  if (heap_) return;
  inline_ = other.inline_;
  WipeBytes(std::span(other.inline_).first(size_));
}

void SecretBytes::Wipe() { WipeBytes(mutable_bytes()); }

}  // namespace sealane
