// SPDX-License-Identifier: Apache-2.0
// Runs inside a test guest: encrypts or decrypts a disk image in dm-crypt's format
// "aes-cbc-plain64", one AF_ALG request per sector, on the crypto driver that the command line
// names.
//
//   alg_sectors encrypt|decrypt DRIVER KEY_IN_HEX IN OUT KIB
//
// dm-crypt itself never uses virtio_crypto: it asks for drivers that allocate no memory
// (CRYPTO_ALG_ALLOCATES_MEMORY), and this one does. With this program the device reads what
// dm-crypt wrote and writes what dm-crypt reads. Prints "REQUESTS n". Exit status 0 if all went
// well. Linked statically, single-threaded.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "af_alg.h"

namespace {

constexpr std::size_t kSectorSize = 512;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

struct Job {
  guest::Direction direction;
  std::string_view driver;
  guest::Bytes key;
  std::size_t num_sectors;
};

// dm-crypt's "plain64": the sector number, little-endian, padded with zeros.
std::array<std::uint8_t, guest::kBlockSize> IvOf(std::size_t sector) {
  std::array<std::uint8_t, guest::kBlockSize> iv{};
  for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i) {
    iv[i] = static_cast<std::uint8_t>(std::uint64_t{sector} >> (8 * i));
  }
  return iv;
}

bool Flush(std::FILE* out) {
  return std::fflush(out) == 0 && (fsync(fileno(out)) == 0 || errno == EINVAL);
}

bool Convert(const Job& job, std::FILE* in, std::FILE* out) {
  const guest::Socket cipher = guest::OpenCipher(job.driver, job.key);
  if (!cipher.ok()) return false;
  const guest::Socket operation = guest::OpenOperation(cipher);
  if (!operation.ok()) return false;

  std::array<std::uint8_t, kSectorSize> from{};
  std::array<std::uint8_t, kSectorSize> to{};
  for (std::size_t sector = 0; sector < job.num_sectors; ++sector) {
    if (!guest::Reported(std::fread(from.data(), 1, kSectorSize, in) == kSectorSize, "fread") ||
        !guest::Send(operation, job.direction, IvOf(sector), {.data = from}) ||
        !guest::Receive(operation, to) ||
        !guest::Reported(std::fwrite(to.data(), 1, kSectorSize, out) == kSectorSize, "fwrite")) {
      return false;
    }
  }
  return guest::Reported(Flush(out), "fsync");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: %s encrypt|decrypt DRIVER KEY_IN_HEX IN OUT KIB\n", argv[0]);
    return 2;
  }
  const bool encrypt = std::string_view(argv[1]) == "encrypt";
  const Job job{encrypt ? guest::Direction::kEncrypt : guest::Direction::kDecrypt, argv[2],
                guest::FromHex(argv[3]), std::strtoul(argv[6], nullptr, 10) * 1024 / kSectorSize};
  const File in(std::fopen(argv[4], "rb"));
  const File out(std::fopen(argv[5], "wb"));
  if (!guest::Reported(in != nullptr && out != nullptr, "fopen")) return EXIT_FAILURE;
  if (!Convert(job, in.get(), out.get())) return EXIT_FAILURE;
  std::printf("REQUESTS %zu\n", job.num_sectors);
  return EXIT_SUCCESS;
}
