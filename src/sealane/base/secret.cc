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

SecretBytes::SecretBytes(size_t size) : data_(std::make_unique<uint8_t[]>(size)), size_(size) {}

SecretBytes::SecretBytes(std::span<const uint8_t> bytes) : SecretBytes(bytes.size()) {
  std::ranges::copy(bytes, data_.get());
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this != &other) {
    Wipe();
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

SecretBytes::~SecretBytes() { Wipe(); }

void SecretBytes::Wipe() {
  if (data_) WipeBytes({data_.get(), size_});
}

}  // namespace sealane
