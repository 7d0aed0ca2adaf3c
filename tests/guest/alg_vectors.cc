// SPDX-License-Identifier: Apache-2.0
// Runs inside a test guest: the AES-CBC vectors of NIST SP 800-38A, appendix F.2, through the
// kernel's AF_ALG socket, on the crypto driver that the command line names.
//
//   alg_vectors DRIVER        e.g. virtio_crypto_aes_cbc
//
// Three key sizes, two directions and two framings make twelve results, each a line
// "PASS …" or "FAIL …"; then "REQUESTS n" says how many requests a driver was asked for, so
// that the test outside can compare with what the device served. Exit status 0 if all passed.
// Linked statically, single-threaded.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "af_alg.h"

namespace {

using guest::Bytes;
using guest::Direction;
using guest::FromHex;

struct Vector {
  std::string_view name;
  std::string_view key;
  std::string_view ciphertext;
};

// The four-block plaintext and the IV are the same in all of F.2.1 to F.2.6.
constexpr std::string_view kPlaintext =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
constexpr std::string_view kIv = "000102030405060708090a0b0c0d0e0f";

constexpr std::array kVectors = {
    Vector{"CBC-AES128 (F.2.1, F.2.2)", "2b7e151628aed2a6abf7158809cf4f3c",
           "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
           "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
    Vector{"CBC-AES192 (F.2.3, F.2.4)", "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
           "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
           "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"},
    Vector{"CBC-AES256 (F.2.5, F.2.6)",
           "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
           "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
           "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"},
};

enum class Framing {
  kWhole,         // one request of four blocks
  kBlockByBlock,  // four requests of one block; the kernel carries the IV from one to the next
};

std::string ToHex(std::span<const std::uint8_t> bytes) {
  std::string hex;
  std::array<char, 3> digits{};
  for (const std::uint8_t byte : bytes) {
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    hex += digits.data();
  }
  return hex;
}

struct Job {
  std::string_view driver;
  Direction direction;
  Framing framing;
  Bytes key;
  Bytes in;
};

// The job's result, or empty after a message.
Bytes Run(const Job& job, int* num_requests) {
  const guest::Socket cipher = guest::OpenCipher(job.driver, job.key);
  if (!cipher.ok()) return {};
  const guest::Socket operation = guest::OpenOperation(cipher);
  if (!operation.ok()) return {};

  const Bytes iv = FromHex(kIv);
  const std::size_t step = job.framing == Framing::kWhole ? job.in.size() : guest::kBlockSize;
  Bytes out(job.in.size());
  for (std::size_t done = 0; done < job.in.size(); done += step) {
    const guest::Piece piece{.data = std::span(job.in).subspan(done, step),
                             .first = done == 0,
                             .more = done + step < job.in.size()};
    if (!guest::Send(operation, job.direction, iv, piece)) return {};
    ++*num_requests;
    if (!guest::Receive(operation, std::span(out).subspan(done, step))) return {};
  }
  return out;
}

bool Check(const Vector& vector, const Job& job, const Bytes& expected, int* num_requests) {
  const Bytes out = Run(job, num_requests);
  const bool pass = out == expected;
  std::printf("%s %.*s %s %s on %.*s\n", pass ? "PASS" : "FAIL",
              static_cast<int>(vector.name.size()), vector.name.data(),
              job.direction == Direction::kEncrypt ? "encrypt" : "decrypt",
              job.framing == Framing::kWhole ? "whole" : "block by block",
              static_cast<int>(job.driver.size()), job.driver.data());
  if (!pass) std::printf("  got %s\n  not %s\n", ToHex(out).c_str(), ToHex(expected).c_str());
  return pass;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DRIVER\n", argv[0]);
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int num_requests = 0;
  bool all_passed = true;
  const Bytes plaintext = FromHex(kPlaintext);
  for (const Vector& vector : kVectors) {
    const Bytes ciphertext = FromHex(vector.ciphertext);
    for (const Framing framing : {Framing::kWhole, Framing::kBlockByBlock}) {
      const Bytes key = FromHex(vector.key);
      const Job encrypt{argv[1], Direction::kEncrypt, framing, key, plaintext};
      const Job decrypt{argv[1], Direction::kDecrypt, framing, key, ciphertext};
      all_passed &= Check(vector, encrypt, ciphertext, &num_requests);
      all_passed &= Check(vector, decrypt, plaintext, &num_requests);
    }
  }
  std::printf("REQUESTS %d\n", num_requests);
  return all_passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
