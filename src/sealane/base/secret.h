// SPDX-License-Identifier: Apache-2.0
//
// SecretBytes: key material that is wiped before its memory is given back. Move-only, so that
// copies of a key are visible in the code that makes them. Short ones, such as any cipher's key,
// live in the object itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sealane {

class SecretBytes {
 public:
  static constexpr size_t kInlineSize = 64;  // bytes; longer secrets live on the heap

  SecretBytes() = default;
  explicit SecretBytes(size_t size);  // zeros
  explicit SecretBytes(std::span<const uint8_t> bytes);
  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  ~SecretBytes();

  size_t size() const { return size_; }
  std::span<const uint8_t> bytes() const { return {heap_ ? heap_.get() : inline_.data(), size_}; }
  std::span<uint8_t> mutable_bytes() { return {heap_ ? heap_.get() : inline_.data(), size_}; }

 private:
  void TakeFrom(SecretBytes& other);
  void Wipe();

  std::array<uint8_t, kInlineSize> inline_{};
  std::unique_ptr<uint8_t[]> heap_;  // null: inline
  size_t size_ = 0;
};

// Overwrites memory in a way the compiler may not remove.
void WipeBytes(std::span<uint8_t> bytes);

}  // namespace sealane
