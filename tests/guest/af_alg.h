// SPDX-License-Identifier: Apache-2.0
// The kernel's AF_ALG socket for symmetric ciphers, as far as the programs inside a test guest
// need it (Linux: Documentation/crypto/userspace-if.rst). A failing system call is named on
// standard output, where the test outside finds it. Owned by one program, single-threaded.
#pragma once

#include <linux/if_alg.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace guest {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t kBlockSize = 16;

enum class Direction : std::uint32_t { kEncrypt = ALG_OP_ENCRYPT, kDecrypt = ALG_OP_DECRYPT };

// A file descriptor that closes itself; one that is not ok() holds none.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// The part of a stream that one request carries.
struct Piece {
  std::span<const std::uint8_t> data;
  bool first = true;  // sets direction and IV
  bool more = false;  // another piece follows: the kernel is to carry the IV on to it
};

// Passes `ok` on, and names the system call that failed if it is false.
bool Reported(bool ok, const char* call);

// `driver` is an algorithm, "cbc(aes)", or one driver of it, "virtio_crypto_aes_cbc".
Socket OpenCipher(std::string_view driver, std::span<const std::uint8_t> key);
Socket OpenOperation(const Socket& cipher);

// One request each: hands `piece` over, takes its result of the same size.
bool Send(const Socket& operation, Direction direction, std::span<const std::uint8_t> iv,
          const Piece& piece);
bool Receive(const Socket& operation, std::span<std::uint8_t> out);

Bytes FromHex(std::string_view hex);

}  // namespace guest
