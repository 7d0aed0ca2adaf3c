// SPDX-License-Identifier: Apache-2.0
//
// Hashes, MACs, AEAD and chains through driver, rings and device: published answers, with and
// without REVISION_1, of a session and stateless, with and without indirect descriptors.
#include <gtest/gtest.h>

#include <string>

#include "loopback_fixture.h"
#include "sealane/base/hex.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::Request;
using driver::RequestKind;
using driver::Status;

Bytes Hex(std::string_view text) { return HexDecode(text).value(); }
Bytes Text(std::string_view text) { return {text.begin(), text.end()}; }

struct Way {
  bool revision_1;
  bool stateless;
  bool indirect;
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << (way.revision_1 ? "REVISION_1" : "legacy") << (way.stateless ? ", stateless" : "")
       << (way.indirect ? "" : ", direct");
}

class LoopbackServices : public ::testing::TestWithParam<Way> {
 protected:
  // Runs the request in the way of the test; its session, if it has one, is new and closed again.
  Status Run(const driver::SessionParams& params, Request& request) {
    if (GetParam().stateless) {
      request.stateless = &params;
    } else {
      const auto session = driver_->CreateSession(params);
      EXPECT_TRUE(session.has_value());
      if (!session.has_value()) return session.error().status;
      request.session = *session;
    }
    const Status status = driver_->channel(0).Call(request, std::chrono::seconds(10));
    if (!GetParam().stateless) {
      EXPECT_TRUE(driver_->CloseSession(driver::ServiceOf(params), request.session).has_value());
    }
    return status;
  }

  std::unique_ptr<driver::CryptoDriver> driver_ = OpenLoopback(
      {.indirect = GetParam().indirect, .revision_1 = GetParam().revision_1}, {.depth = 16});
};

// FIPS 180-4's "abc", and FIPS 202's for a SHAKE of a length of our own.
TEST_P(LoopbackServices, Hash_PublishedAnswers) {
  const Bytes src = Text("abc");
  Bytes dst(32);
  Request request{.kind = RequestKind::kHash, .src = src, .dst = dst};
  EXPECT_EQ(Run(driver::HashSessionParams{wire::VIRTIO_CRYPTO_HASH_SHA_256, 32}, request),
            Status::kOk);
  EXPECT_EQ(HexEncode(dst), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  dst.assign(32, 0);
  EXPECT_EQ(Run(driver::HashSessionParams{wire::VIRTIO_CRYPTO_HASH_SHA3_SHAKE128, 32}, request),
            Status::kOk);
  EXPECT_EQ(HexEncode(dst), "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8");
  request.src = {};
  EXPECT_EQ(Run(driver::HashSessionParams{wire::VIRTIO_CRYPTO_HASH_SHA_256, 32}, request),
            Status::kOk);
  EXPECT_EQ(HexEncode(dst), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// RFC 4231 case 1, RFC 3566 case 1, and GMAC with its IV in front (McGrew and Viega, case 1).
TEST_P(LoopbackServices, Mac_PublishedAnswers) {
  const Bytes key(20, 0x0b);
  Bytes src = Text("Hi There");
  Bytes dst(32);
  Request request{.kind = RequestKind::kMac, .src = src, .dst = dst};
  EXPECT_EQ(Run(driver::MacSessionParams{wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256, 32, key}, request),
            Status::kOk);
  EXPECT_EQ(HexEncode(dst), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");

  const Bytes aes = Hex("000102030405060708090a0b0c0d0e0f");
  Bytes mac(16);
  Request xcbc{.kind = RequestKind::kMac, .src = {}, .dst = mac};
  EXPECT_EQ(Run(driver::MacSessionParams{wire::VIRTIO_CRYPTO_MAC_XCBC_AES, 16, aes}, xcbc),
            Status::kOk);
  EXPECT_EQ(HexEncode(mac), "75f0251d528ac01c4573dfd584d79f29");

  const Bytes zeros(16);
  const Bytes iv(12);
  Request gmac{.kind = RequestKind::kMac, .src = iv, .dst = mac};
  EXPECT_EQ(Run(driver::MacSessionParams{wire::VIRTIO_CRYPTO_MAC_GMAC_AES, 16, zeros}, gmac),
            Status::kOk);
  EXPECT_EQ(HexEncode(mac), "58e2fccefa7e3061367f1d57a4e7455a");
}

// "The Galois/Counter Mode of Operation" (McGrew, Viega), test case 4; then with a wrong tag.
TEST_P(LoopbackServices, Aead_BothWaysAndWrongTag) {
  const Bytes key = Hex("feffe9928665731c6d6a8f9467308308");
  const Bytes iv = Hex("cafebabefacedbaddecaf888");
  const Bytes aad = Hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  const Bytes plain =
      Hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
          "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  Bytes out(plain.size());
  Bytes tag(16);
  driver::AeadSessionParams params{wire::VIRTIO_CRYPTO_AEAD_GCM, Operation::kEncrypt, key, 16, 20};
  Request request{
      .kind = RequestKind::kAead, .iv = iv, .src = plain, .dst = out, .aad = aad, .tag = tag};
  EXPECT_EQ(Run(params, request), Status::kOk);
  EXPECT_EQ(HexEncode(out),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091");
  EXPECT_EQ(HexEncode(tag), "5bc94fbc3221a5db94fae95ae7121a47");

  params.direction = request.operation = Operation::kDecrypt;
  const Bytes sealed = out;
  request.src = sealed;
  EXPECT_EQ(Run(params, request), Status::kOk);
  EXPECT_EQ(out, plain);
  tag[15] ^= 1;
  out.assign(out.size(), 0xee);
  EXPECT_EQ(Run(params, request), Status::kBadMessage);
  EXPECT_EQ(out, Bytes(out.size(), 0xee)) << "what is not authentic reaches nobody";
}

// SP 800-38A F.2.1 for the cipher; the MAC is that of AAD and ciphertext, as a MAC alone makes it.
TEST_P(LoopbackServices, Chain_CipherThenMac) {
  const Bytes key = Hex("2b7e151628aed2a6abf7158809cf4f3c");
  const Bytes iv = Hex("000102030405060708090a0b0c0d0e0f");
  const Bytes auth_key(20, 0x0b);
  const Bytes aad = Text("header");
  const Bytes plain = Hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
  const std::string cipher = "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2";
  Bytes out(32);
  Bytes digest(32);
  const driver::ChainSessionParams params{
      .cipher = {wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kEncrypt, key},
      .hash = driver::MacSessionParams{wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256, 32, auth_key},
      .hash_first = false,
      .aad_len = 6};
  Request request{.kind = RequestKind::kChain,
                  .iv = iv,
                  .src = plain,
                  .dst = out,
                  .aad = aad,
                  .tag = digest,
                  .cipher_part = {.offset = 0, .len = 32},
                  .hash_part = {.offset = 0, .len = 32}};
  EXPECT_EQ(Run(params, request), Status::kOk);
  EXPECT_EQ(HexEncode(out), cipher);

  Bytes message = aad;
  message.insert(message.end(), out.begin(), out.end());
  Bytes mac(32);
  Request alone{.kind = RequestKind::kMac, .src = message, .dst = mac};
  EXPECT_EQ(
      Run(driver::MacSessionParams{wire::VIRTIO_CRYPTO_MAC_HMAC_SHA_256, 32, auth_key}, alone),
      Status::kOk);
  EXPECT_EQ(HexEncode(digest), HexEncode(mac));
}

TEST_P(LoopbackServices, Cipher_PublishedAnswer) {
  const Bytes key = Hex("2b7e151628aed2a6abf7158809cf4f3c");
  const Bytes iv = Hex("000102030405060708090a0b0c0d0e0f");
  const Bytes plain = Hex("6bc1bee22e409f96e93d7e117393172a");
  Bytes out(16);
  Request request{.iv = iv, .src = plain, .dst = out};
  EXPECT_EQ(
      Run(driver::CipherSessionParams{wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kEncrypt, key},
          request),
      Status::kOk);
  EXPECT_EQ(HexEncode(out), "7649abac8119b246cee98e9b12e9197d");
}

TEST_P(LoopbackServices, WhatCannotBe_IsRefusedAndTheNextIsServed) {
  const Bytes src = Text("abc");
  Bytes dst(32);
  Request request{.kind = RequestKind::kHash, .src = src, .dst = dst};
  const driver::HashSessionParams params{wire::VIRTIO_CRYPTO_HASH_SHA_256, 32};
  Request wrong = request;
  Bytes longer(33);
  wrong.dst = longer;  // neither the session's length nor the algorithm's
  EXPECT_EQ(Run(params, wrong), Status::kError);
  Bytes huge(70000);
  wrong = request;
  wrong.src = huge;
  EXPECT_EQ(Run(params, wrong), Status::kInvalidArgument) << "the driver's buffers end at 64 KiB";
  EXPECT_EQ(Run(params, request), Status::kOk);
}

INSTANTIATE_TEST_SUITE_P(Ways, LoopbackServices,
                         ::testing::Values(Way{false, false, true}, Way{true, false, true},
                                           Way{true, true, true}, Way{true, false, false},
                                           Way{true, true, false}));

TEST(Stateless, WithoutRevision1_IsInvalid) {
  const auto driver = OpenLoopback({.revision_1 = false}, {.depth = 16});
  Bytes dst(32);
  const driver::SessionParams params =
      driver::HashSessionParams{wire::VIRTIO_CRYPTO_HASH_SHA_256, 32};
  Request request{.kind = RequestKind::kHash, .dst = dst, .stateless = &params};
  EXPECT_EQ(driver->channel(0).Call(request, std::chrono::seconds(10)), Status::kInvalidArgument);
}

}  // namespace
}  // namespace sealane::loopback_test
