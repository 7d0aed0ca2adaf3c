// SPDX-License-Identifier: Apache-2.0
//
// RSA and ECDSA through driver, rings and device, with the engine that keeps them off the data
// path. Keys and the oracle are OpenSSL's.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <vector>

#include "loopback_fixture.h"
#include "sealane/crypto/auto_engine/auto_engine.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::Request;
using driver::RequestKind;
using driver::Status;

struct KeyPair {
  std::shared_ptr<EVP_PKEY> key;
  Bytes private_der;
  Bytes public_der;
};

Bytes Der(int (*encode)(const EVP_PKEY*, unsigned char**), const EVP_PKEY* key) {
  unsigned char* bytes = nullptr;
  const int len = encode(key, &bytes);
  EXPECT_GT(len, 0);
  Bytes der(bytes, bytes + len);
  OPENSSL_free(bytes);
  return der;
}

KeyPair MakeRsa() {
  KeyPair pair{.key = {EVP_RSA_gen(2048), EVP_PKEY_free}, .private_der = {}, .public_der = {}};
  pair.private_der = Der(i2d_PrivateKey, pair.key.get());
  pair.public_der = Der(i2d_PublicKey, pair.key.get());
  return pair;
}

KeyPair MakeEc() {
  KeyPair pair{.key = {EVP_EC_gen("P-256"), EVP_PKEY_free}, .private_der = {}, .public_der = {}};
  pair.private_der = Der(i2d_PrivateKey, pair.key.get());
  pair.public_der = Der(i2d_PublicKey, pair.key.get());  // the bare point
  return pair;
}

class LoopbackAkcipher : public ::testing::TestWithParam<bool> {  // stateless
 protected:
  LoopbackAkcipher() {
    auto engine = crypto::AutoEngine::Create();
    auto transport = loopback::LoopbackTransport::Create(std::move(engine.value()), {});
    driver_ = driver::CryptoDriver::Create(std::move(transport.value()), {}).value();
  }
  Status Run(const driver::SessionParams& params, Request& request) {
    if (GetParam()) {
      request.stateless = &params;
      return driver_->channel(0).Call(request, std::chrono::seconds(30));
    }
    const auto session = driver_->CreateSession(params);
    if (!session.has_value()) return session.error().status;
    request.session = *session;
    const Status status = driver_->channel(0).Call(request, std::chrono::seconds(30));
    EXPECT_TRUE(driver_->CloseSession(driver::Service::kAkcipher, *session).has_value());
    return status;
  }
  static driver::AkcipherSessionParams Rsa(const KeyPair& pair, bool is_private, uint32_t padding,
                                           uint32_t hash) {
    return {.algorithm = wire::VIRTIO_CRYPTO_AKCIPHER_RSA,
            .is_private = is_private,
            .key = is_private ? pair.private_der : pair.public_der,
            .padding_or_curve = padding,
            .hash = hash};
  }

  std::unique_ptr<driver::CryptoDriver> driver_;
};

TEST_P(LoopbackAkcipher, RsaSignAndVerify_LengthsAndStatusesExact) {
  const KeyPair pair = MakeRsa();
  const Bytes digest = Noise(32, 1);
  Bytes signature(300, 0xee);  // more room than needed
  Request sign{.kind = RequestKind::kAkcipher,
               .operation = Operation::kSign,
               .src = digest,
               .dst = signature};
  ASSERT_EQ(
      Run(Rsa(pair, true, wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING, wire::VIRTIO_CRYPTO_RSA_SHA256),
          sign),
      Status::kOk);
  EXPECT_EQ(sign.out_len, 256U);
  EXPECT_EQ(signature[256], 0xee);
  signature.resize(256);

  const auto params =
      Rsa(pair, false, wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING, wire::VIRTIO_CRYPTO_RSA_SHA256);
  Request verify{.kind = RequestKind::kAkcipher,
                 .operation = Operation::kVerify,
                 .src = signature,
                 .aad = digest};
  EXPECT_EQ(Run(params, verify), Status::kOk);
  signature[0] ^= 1;
  EXPECT_EQ(Run(params, verify), Status::kKeyRejected);
}

TEST_P(LoopbackAkcipher, RsaDecrypt_ShorterThanTheBuffer_ItsExactLength) {
  const KeyPair pair = MakeRsa();
  const Bytes secret = Noise(37, 2);
  Bytes sealed(256);
  Request encrypt{.kind = RequestKind::kAkcipher, .src = secret, .dst = sealed};
  ASSERT_EQ(Run(Rsa(pair, false, wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING, 0), encrypt), Status::kOk);
  Bytes opened(256);
  Request decrypt{.kind = RequestKind::kAkcipher,
                  .operation = Operation::kDecrypt,
                  .src = sealed,
                  .dst = opened};
  ASSERT_EQ(Run(Rsa(pair, true, wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING, 0), decrypt), Status::kOk);
  EXPECT_EQ(decrypt.out_len, 37U);
  opened.resize(37);
  EXPECT_EQ(opened, secret);
  sealed.back() ^= 1;
  EXPECT_EQ(Run(Rsa(pair, true, wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING, 0), decrypt),
            Status::kError);
}

TEST_P(LoopbackAkcipher, EcdsaSignAndVerify) {
  const KeyPair pair = MakeEc();
  const Bytes digest = Noise(32, 3);
  Bytes signature(80);
  driver::AkcipherSessionParams params{.algorithm = wire::VIRTIO_CRYPTO_AKCIPHER_ECDSA,
                                       .is_private = true,
                                       .key = pair.private_der,
                                       .padding_or_curve = wire::VIRTIO_CRYPTO_CURVE_NIST_P256};
  Request sign{.kind = RequestKind::kAkcipher,
               .operation = Operation::kSign,
               .src = digest,
               .dst = signature};
  ASSERT_EQ(Run(params, sign), Status::kOk);
  params.is_private = false;
  params.key = pair.public_der;
  Request verify{.kind = RequestKind::kAkcipher,
                 .operation = Operation::kVerify,
                 .src = std::span<const uint8_t>(signature).first(sign.out_len),
                 .aad = digest};
  EXPECT_EQ(Run(params, verify), Status::kOk);
  const Bytes other = Noise(32, 4);
  verify.aad = other;
  EXPECT_EQ(Run(params, verify), Status::kKeyRejected);
}

TEST_P(LoopbackAkcipher, KeyThatIsNone_RefusedAndTheNextIsServed) {
  const Bytes junk = Noise(200, 5);
  Bytes out(256);
  Request request{.kind = RequestKind::kAkcipher, .src = junk, .dst = out};
  EXPECT_EQ(
      Run(driver::AkcipherSessionParams{.algorithm = wire::VIRTIO_CRYPTO_AKCIPHER_RSA, .key = junk},
          request),
      Status::kError);
  const KeyPair pair = MakeRsa();
  const Bytes one = {1};
  request.src = one;
  EXPECT_EQ(Run(Rsa(pair, false, wire::VIRTIO_CRYPTO_RSA_RAW_PADDING, 0), request), Status::kOk);
  EXPECT_EQ(request.out_len, 256U);
}

INSTANTIATE_TEST_SUITE_P(Modes, LoopbackAkcipher, ::testing::Bool());

// Signatures take some hundred microseconds each; a cipher's request behind many of them is back
// before most.
TEST(AkcipherOffload, CipherBehindManySignatures_DoesNotWaitForThem) {
  auto engine = crypto::AutoEngine::Create();
  auto transport = loopback::LoopbackTransport::Create(std::move(engine.value()), {});
  const auto driver = driver::CryptoDriver::Create(std::move(transport.value()), {}).value();
  const KeyPair pair = MakeRsa();
  const auto rsa = driver
                       ->CreateSession(driver::AkcipherSessionParams{
                           .algorithm = wire::VIRTIO_CRYPTO_AKCIPHER_RSA,
                           .is_private = true,
                           .key = pair.private_der,
                           .padding_or_curve = wire::VIRTIO_CRYPTO_RSA_PKCS1_PADDING,
                           .hash = wire::VIRTIO_CRYPTO_RSA_SHA256})
                       .value();
  const Bytes key = Noise(16, 6);
  const auto aes =
      driver->CreateSession({wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, Operation::kEncrypt, key}).value();

  constexpr size_t kSignatures = 200;
  const Bytes digest = Noise(32, 7);
  std::vector<Bytes> signatures(kSignatures, Bytes(256));
  std::vector<Request> requests(kSignatures);
  std::vector<Request*> list;
  for (size_t i = 0; i < kSignatures; ++i) {
    requests[i] = {.kind = RequestKind::kAkcipher,
                   .session = rsa,
                   .operation = Operation::kSign,
                   .src = digest,
                   .dst = signatures[i]};
    list.push_back(&requests[i]);
  }
  const Bytes block = Noise(16, 8);
  Bytes out(16);
  Request cipher{.session = aes, .src = block, .dst = out};
  list.push_back(&cipher);
  ASSERT_EQ(driver->channel(0).Submit(list), kSignatures + 1);

  size_t signatures_before = 0;
  bool is_back = false;
  size_t num_back = 0;
  while (num_back < kSignatures + 1) {
    std::array<Request*, 32> done{};
    const size_t num = driver->channel(0).Poll(done);
    for (const Request* request : std::span(done).first(num)) {
      EXPECT_EQ(request->status, Status::kOk);
      if (request == &cipher) is_back = true;
      if (request != &cipher && !is_back) ++signatures_before;
    }
    num_back += num;
    if (num == 0) driver->channel(0).Wait(std::chrono::seconds(30));
  }
  EXPECT_TRUE(is_back);
  EXPECT_LT(signatures_before, kSignatures / 2);
  for (const Bytes& signature : signatures) EXPECT_EQ(signature, signatures[0]);
}

}  // namespace
}  // namespace sealane::loopback_test
