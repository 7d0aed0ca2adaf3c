// SPDX-License-Identifier: Apache-2.0
//
// SecretBytes: key material that is wiped before its memory is given back. Move-only, so that
// copies of a key are visible in the code that makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sealane {

class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(size_t size);
  explicit SecretBytes(std::span<const uint8_t> bytes);
  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  ~SecretBytes();

  size_t size() const { return size_; }
  std::span<const uint8_t> bytes() const { return {data_.get(), size_}; }
  std::span<uint8_t> mutable_bytes() { return {data_.get(), size_}; }

 private:
  void Wipe();
  std::unique_ptr<uint8_t[]> data_;
  size_t size_ = 0;
};

// Overwrites memory in a way the compiler may not remove.
void WipeBytes(std::span<uint8_t> bytes);

}  // namespace sealane
