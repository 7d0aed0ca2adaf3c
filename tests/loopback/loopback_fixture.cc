// SPDX-License-Identifier: Apache-2.0
#include "loopback_fixture.h"

#include <openssl/evp.h>

#include <array>
#include <random>

#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::loopback_test {
namespace {

constexpr std::array<Algorithm, 14> kAlgorithms{{
    {"aes-128-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, "AES-128-ECB", 16, 0, 16},
    {"aes-192-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, "AES-192-ECB", 24, 0, 16},
    {"aes-256-ecb", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, "AES-256-ECB", 32, 0, 16},
    {"aes-128-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, "AES-128-CBC", 16, 16, 16},
    {"aes-192-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, "AES-192-CBC", 24, 16, 16},
    {"aes-256-cbc", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, "AES-256-CBC", 32, 16, 16},
    {"aes-128-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, "AES-128-CTR", 16, 16, 1},
    {"aes-192-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, "AES-192-CTR", 24, 16, 1},
    {"aes-256-ctr", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, "AES-256-CTR", 32, 16, 1},
    {"aes-128-xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, "AES-128-XTS", 32, 16, 1},
    {"aes-256-xts", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS, "AES-256-XTS", 64, 16, 1},
    {"3des-ecb", wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB, "DES-EDE3-ECB", 24, 0, 8},
    {"3des-cbc", wire::VIRTIO_CRYPTO_CIPHER_3DES_CBC, "DES-EDE3-CBC", 24, 8, 8},
    {"3des-ctr", wire::VIRTIO_CRYPTO_CIPHER_3DES_CTR, nullptr, 24, 8, 1},
}};

Bytes EvpCipher(const char* name, std::span<const uint8_t> key, std::span<const uint8_t> iv,
                std::span<const uint8_t> in, bool encrypt) {
  Bytes out(in.size() + EVP_MAX_BLOCK_LENGTH);
  EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, name, nullptr);
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  int len = 0;
  const bool ok =
      EVP_CipherInit_ex2(context, cipher, key.data(), iv.data(), encrypt ? 1 : 0, nullptr) == 1 &&
      EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
      EVP_CipherUpdate(context, out.data(), &len, in.data(), static_cast<int>(in.size())) == 1;
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  EXPECT_TRUE(ok) << name;
  EXPECT_EQ(static_cast<size_t>(len), in.size());
  out.resize(in.size());
  return out;
}

Bytes TripleDesCtr(std::span<const uint8_t> key, std::span<const uint8_t> iv,
                   std::span<const uint8_t> in) {
  Bytes counters;
  Bytes counter(iv.begin(), iv.end());
  while (counters.size() < in.size()) {
    counters.insert(counters.end(), counter.begin(), counter.end());
    for (size_t i = counter.size(); i-- != 0;) {
      if (++counter[i] != 0) break;
    }
  }
  Bytes out = EvpCipher("DES-EDE3-ECB", key, {}, counters, true);
  out.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) out[i] ^= in[i];
  return out;
}

}  // namespace

std::span<const Algorithm> Algorithms() { return kAlgorithms; }

Bytes Reference(const Algorithm& algorithm, std::span<const uint8_t> key,
                std::span<const uint8_t> iv, std::span<const uint8_t> in, bool encrypt) {
  if (in.empty()) return {};
  if (algorithm.evp_name == nullptr) return TripleDesCtr(key, iv, in);
  return EvpCipher(algorithm.evp_name, key, iv, in, encrypt);
}

Bytes Noise(size_t len, uint32_t seed) {
  std::minstd_rand random(seed + 1);
  Bytes bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 8);
  return bytes;
}

std::unique_ptr<driver::CryptoDriver> OpenLoopback(const loopback::LoopbackOptions& device,
                                                   const driver::Options& options) {
  auto engine = crypto::OpenSslEngine::Create();
  EXPECT_TRUE(engine.has_value());
  auto transport = loopback::LoopbackTransport::Create(std::move(*engine), device);
  EXPECT_TRUE(transport.has_value());
  auto driver = driver::CryptoDriver::Create(std::move(*transport), options);
  EXPECT_TRUE(driver.has_value()) << (driver ? "" : driver.error().what);
  return std::move(*driver);
}

driver::SessionId MustCreate(driver::CryptoDriver& driver, const Algorithm& algorithm,
                             driver::Operation direction, std::span<const uint8_t> key) {
  const auto session = driver.CreateSession({algorithm.id, direction, key});
  EXPECT_TRUE(session.has_value()) << algorithm.name;
  return session.value_or(driver::SessionId{0});
}

Job::Job(const Algorithm& algorithm, std::span<const uint8_t> key, driver::SessionId session,
         driver::Operation operation, size_t len, uint32_t seed)
    : iv(Noise(algorithm.iv_len, seed)), src(Noise(len, seed + 1000)), dst(len) {
  const bool encrypt = operation == driver::Operation::kEncrypt;
  expected = Reference(algorithm, key, iv, src, encrypt);
  request.session = session;
  request.operation = operation;
  request.iv = iv;
  request.src = src;
  request.dst = dst;
}

}  // namespace sealane::loopback_test
