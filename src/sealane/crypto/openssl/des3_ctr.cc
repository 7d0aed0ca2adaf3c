// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/des3_ctr.h"

#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "sealane/base/secret.h"

namespace sealane::crypto {
namespace {

// Key stream made by one EVP call: long enough to make the call's own cost disappear, short enough
// to stay in the first-level cache.
constexpr size_t kMaxBatch = 1024;

uint64_t SwapToBigEndian(uint64_t value) {
  return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

// Fills `blocks` with successive counters from `counter` on; returns the next one. Unsigned
// arithmetic is the wrap at 2^64.
uint64_t WriteCounters(uint64_t counter, std::span<uint8_t> blocks) {
  for (size_t i = 0; i < blocks.size(); i += kDesBlockLen) {
    const uint64_t block = SwapToBigEndian(counter++);
    std::memcpy(&blocks[i], &block, sizeof(block));
  }
  return counter;
}

bool EncryptBlocks(evp_cipher_ctx_st* ecb, std::span<uint8_t> blocks) {
  const int len = static_cast<int>(blocks.size());
  int written = 0;
  return EVP_CipherUpdate(ecb, blocks.data(), &written, blocks.data(), len) == 1 && written == len;
}

void Xor(const uint8_t* in, std::span<const uint8_t> key_stream, uint8_t* out) {
  for (size_t i = 0; i < key_stream.size(); ++i) {
    out[i] = static_cast<uint8_t>(in[i] ^ key_stream[i]);
  }
}

}  // namespace

bool CryptDes3Ctr(evp_cipher_ctx_st* ecb, const DesBlock& first_counter, const uint8_t* in,
                  uint8_t* out, size_t len) {
  alignas(64) std::array<uint8_t, kMaxBatch> buffer;
  const std::span<uint8_t> key_stream(buffer);
  uint64_t counter = SwapToBigEndian(std::bit_cast<uint64_t>(first_counter));
  bool ok = true;
  for (size_t done = 0; ok && done < len;) {
    const size_t wanted = std::min(len - done, kMaxBatch);
    const size_t whole_blocks = (wanted + kDesBlockLen - 1) / kDesBlockLen * kDesBlockLen;
    counter = WriteCounters(counter, key_stream.first(whole_blocks));
    ok = EncryptBlocks(ecb, key_stream.first(whole_blocks));
    if (ok) Xor(in + done, key_stream.first(wanted), out + done);
    done += wanted;
  }
  // The first batch was the longest. Key stream is as good as the plaintext.
  WipeBytes(key_stream.first(std::min(len + kDesBlockLen, kMaxBatch)));
  return ok;
}

}  // namespace sealane::crypto
