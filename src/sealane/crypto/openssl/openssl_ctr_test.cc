// SPDX-License-Identifier: Apache-2.0
//
// Counter mode where counters end: against key stream made by EVP in ECB mode from counters that
// are written out one by one.
#include <gtest/gtest.h>

#include <array>

#include "sealane/base/hex.h"
#include "sealane/crypto/openssl/lane_runner.h"

namespace sealane::crypto {
namespace {

// Blocks before the wrap: the first, and around the widths in which implementations work.
constexpr auto kBlocksBefore = std::to_array<uint8_t>({0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 63, 200});

// A counter of `size` bytes whose low `wrap_bytes` reach all ones `before` blocks later; the bytes
// above are not all ones, so that the carry shows.
Bytes CounterBeforeWrap(size_t size, size_t wrap_bytes, uint8_t before) {
  Bytes counter(size, 0xff);
  for (size_t i = 0; i < size - wrap_bytes; ++i) counter[i] = static_cast<uint8_t>(0x10 + i);
  counter.back() = static_cast<uint8_t>(0xff - before);
  return counter;
}

Bytes Xor(Bytes key_stream, const Bytes& in) {
  key_stream.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) key_stream[i] ^= in[i];
  return key_stream;
}

void ExpectExplicitCounters(CipherAlgorithm algorithm, size_t key_len, size_t wrap_bytes) {
  const size_t block_len = Traits(algorithm).iv_len;
  const Bytes key = TestBytes(key_len, 30);
  LaneRunner runner;
  const auto encrypt = runner.Open(algorithm, Direction::kEncrypt, key);
  const auto decrypt = runner.Open(algorithm, Direction::kDecrypt, key);
  for (const uint8_t before : kBlocksBefore) {
    const Bytes counter = CounterBeforeWrap(block_len, wrap_bytes, before);
    SCOPED_TRACE(HexEncode(counter));
    // The wrap and as much again, ending inside a block.
    const size_t num_blocks = 2 * size_t{before} + 40;
    const Bytes in = TestBytes(num_blocks * block_len - 3, 31);
    const Bytes expected = Xor(EncryptedCounters(key, counter, num_blocks), in);
    EXPECT_EQ(runner.Crypt(*encrypt, counter, in), expected);
    EXPECT_EQ(runner.Crypt(*decrypt, counter, in), expected);
  }
}

TEST(OpenSslCtr_Aes, LowBitsAllOnes_CarriesAndWrapsAt128) {
  for (const size_t key_len : {16U, 24U, 32U}) {
    for (const size_t wrap_bytes : {4U, 8U, 12U, 16U}) {
      ExpectExplicitCounters(CipherAlgorithm::kAesCtr, key_len, wrap_bytes);
    }
  }
}

TEST(OpenSslCtr_Des3, LowBitsAllOnes_CarriesAndWrapsAt64) {
  for (const size_t wrap_bytes : {1U, 2U, 4U, 8U}) {
    ExpectExplicitCounters(CipherAlgorithm::kDes3Ctr, 24, wrap_bytes);
  }
}

// 1024 bytes of key stream are made at a time: lengths around one, two and three batches.
TEST(OpenSslCtr_Des3, LengthsAroundABatch_AreRight) {
  const Bytes key = TestBytes(24, 32);
  const Bytes counter = TestBytes(8, 33);
  LaneRunner runner;
  const auto session = runner.Open(CipherAlgorithm::kDes3Ctr, Direction::kEncrypt, key);
  for (const size_t around : {1024U, 2048U, 3072U}) {
    for (size_t len = around - 9; len <= around + 9; ++len) {
      const Bytes in = TestBytes(len, 34);
      EXPECT_EQ(runner.Crypt(*session, counter, in),
                Xor(EncryptedCounters(key, counter, len / 8 + 1), in))
          << len;
    }
  }
}

TEST(OpenSslCtr_AllCiphers, EveryShortLength_IsAPrefixOfTheLongOne) {
  for (const CipherAlgorithm algorithm : {CipherAlgorithm::kAesCtr, CipherAlgorithm::kDes3Ctr}) {
    const Bytes key = TestBytes(24, 35);
    const Bytes counter = TestBytes(Traits(algorithm).iv_len, 36);
    const Bytes key_stream = EncryptedCounters(key, counter, 20);
    LaneRunner runner;
    const auto session = runner.Open(algorithm, Direction::kEncrypt, key);
    for (size_t len = 1; len <= 70; ++len) {
      const Bytes in = TestBytes(len, 37);
      EXPECT_EQ(runner.Crypt(*session, counter, in), Xor(key_stream, in)) << len;
    }
  }
}

}  // namespace
}  // namespace sealane::crypto
