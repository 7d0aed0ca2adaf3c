// SPDX-License-Identifier: Apache-2.0
//
// Every cipher from the driver's call to the device's completion.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "loopback_fixture.h"
#include "sealane/base/hex.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::loopback_test {
namespace {

using driver::Operation;
using driver::Status;
using std::chrono::seconds;

constexpr auto kTimeout = seconds(30);

Bytes FromHex(const char* text) { return HexDecode(text).value(); }

class EveryCipher : public testing::TestWithParam<Algorithm> {};

TEST_P(EveryCipher, ManyLengths_BothDirections_AsOpenSsl) {
  const Algorithm& algorithm = GetParam();
  const auto driver = OpenLoopback();
  const Bytes key = Noise(algorithm.key_len, 77);
  const bool xts = algorithm.id == wire::VIRTIO_CRYPTO_CIPHER_AES_XTS;
  for (const Operation operation : {Operation::kEncrypt, Operation::kDecrypt}) {
    const auto session = MustCreate(*driver, algorithm, operation, key);
    for (const size_t blocks : {0U, 1U, 2U, 3U, 16U, 33U, 256U, 4096U}) {
      const size_t len = blocks * algorithm.block_len + (xts && blocks != 0 ? 16 : 0);
      Job job(algorithm, key, session, operation, len, static_cast<uint32_t>(blocks));
      driver->channel(0).Call(job.request, kTimeout);
      EXPECT_TRUE(job.Right()) << len << ": " << ToString(job.request.status);
    }
    EXPECT_TRUE(driver->CloseSession(session).has_value());
  }
}

// faults.md, device 25; driver 15 and 16.
TEST_P(EveryCipher, LengthsThatItDoesNotHave_ErrAndNextIsFine) {
  const Algorithm& algorithm = GetParam();
  const auto driver = OpenLoopback();
  const Bytes key = Noise(algorithm.key_len, 77);
  const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  const bool xts = algorithm.id == wire::VIRTIO_CRYPTO_CIPHER_AES_XTS;
  for (const size_t len : {1U, 7U, 9U, 15U, 17U, 4095U}) {
    if (xts ? len >= 16 : algorithm.block_len == 1) continue;
    Bytes text(len);
    const Bytes iv(algorithm.iv_len);
    driver::Request request{.session = session, .iv = iv, .src = text, .dst = text};
    EXPECT_EQ(driver->channel(0).Call(request, kTimeout), Status::kError) << len;
  }
  Job good(algorithm, key, session, Operation::kEncrypt, 48, 1);
  driver->channel(0).Call(good.request, kTimeout);
  EXPECT_TRUE(good.Right());
}

TEST_P(EveryCipher, WrongIvLength_Err) {
  const Algorithm& algorithm = GetParam();
  const auto driver = OpenLoopback();
  const auto session =
      MustCreate(*driver, algorithm, Operation::kEncrypt, Noise(algorithm.key_len, 77));
  for (const size_t iv_len : {0U, 1U, 7U, 8U, 15U, 16U}) {
    if (iv_len == algorithm.iv_len) continue;
    Bytes text(16);
    const Bytes iv(iv_len);
    driver::Request request{.session = session, .iv = iv, .src = text, .dst = text};
    EXPECT_EQ(driver->channel(0).Call(request, kTimeout), Status::kError) << iv_len;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryCipher, testing::ValuesIn(Algorithms().begin(), Algorithms().end()),
                         [](const auto& param_info) {
                           std::string name = param_info.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

struct Known {
  const char* what;
  uint32_t id;
  const char* key;
  const char* iv;
  const char* plain;
  const char* cipher;
};

// First block(s) of NIST SP 800-38A (F.1.1, F.2.1, F.2.5, F.5.1), IEEE 1619-2007 vector 2, and
// SP 800-67 appendix B.
constexpr Known kKnown[] = {
    {"AES-128-ECB", wire::VIRTIO_CRYPTO_CIPHER_AES_ECB, "2b7e151628aed2a6abf7158809cf4f3c", "",
     "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"},
    {"AES-128-CBC", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, "2b7e151628aed2a6abf7158809cf4f3c",
     "000102030405060708090a0b0c0d0e0f",
     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"},
    {"AES-256-CBC", wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
     "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "000102030405060708090a0b0c0d0e0f", "6bc1bee22e409f96e93d7e117393172a",
     "f58c4c04d6e5f1ba779eabfb5f7bfbd6"},
    {"AES-128-CTR", wire::VIRTIO_CRYPTO_CIPHER_AES_CTR, "2b7e151628aed2a6abf7158809cf4f3c",
     "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"},
    {"AES-128-XTS", wire::VIRTIO_CRYPTO_CIPHER_AES_XTS,
     "1111111111111111111111111111111122222222222222222222222222222222",
     "33333333330000000000000000000000",
     "4444444444444444444444444444444444444444444444444444444444444444",
     "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"},
    {"3DES-ECB", wire::VIRTIO_CRYPTO_CIPHER_3DES_ECB,
     "0123456789abcdef23456789abcdef01456789abcdef0123", "",
     "54686520717566636b2062726f776e20666f78206a756d70",
     "a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900"},
};

TEST(KnownAnswers, BothDirections_AsPublished) {
  const auto driver = OpenLoopback();
  for (const Known& known : kKnown) {
    const Bytes key = FromHex(known.key), iv = FromHex(known.iv);
    const Bytes plain = FromHex(known.plain), cipher = FromHex(known.cipher);
    for (const bool encrypt : {true, false}) {
      const auto operation = encrypt ? Operation::kEncrypt : Operation::kDecrypt;
      const auto session = driver->CreateSession({known.id, operation, key});
      ASSERT_TRUE(session.has_value()) << known.what;
      Bytes out(plain.size());
      driver::Request request{.session = *session,
                              .operation = operation,
                              .iv = iv,
                              .src = encrypt ? plain : cipher,
                              .dst = out};
      EXPECT_EQ(driver->channel(0).Call(request, kTimeout), Status::kOk) << known.what;
      EXPECT_EQ(out, encrypt ? cipher : plain) << known.what;
    }
  }
}

TEST(Sessions, UnknownAlgorithm_NotSupported) {
  const auto driver = OpenLoopback();
  const Bytes key(16, 1);
  for (const uint32_t id :
       {0U, wire::VIRTIO_CRYPTO_CIPHER_ARC4, wire::VIRTIO_CRYPTO_CIPHER_AES_F8, 15U, 0xffffffffU}) {
    const auto session = driver->CreateSession({id, Operation::kEncrypt, key});
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().status, Status::kNotSupported) << id;
  }
}

TEST(Sessions, KeyOfWrongLength_Err) {
  const auto driver = OpenLoopback();
  for (const size_t len : {1U, 15U, 17U, 33U, 64U}) {
    const Bytes key(len, 1);
    const auto session =
        driver->CreateSession({wire::VIRTIO_CRYPTO_CIPHER_AES_CBC, Operation::kEncrypt, key});
    ASSERT_FALSE(session.has_value());
    EXPECT_EQ(session.error().status, Status::kError) << len;
  }
}

TEST(Sessions, OverTheLimit_NoSpaceUntilOneIsClosed) {
  const auto driver = OpenLoopback({.max_sessions = 3});
  const Algorithm& algorithm = Algorithms()[kAes128Cbc];
  const Bytes key = Noise(16, 1);
  const auto first = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  const auto fourth = driver->CreateSession({algorithm.id, Operation::kEncrypt, key});
  ASSERT_FALSE(fourth.has_value());
  EXPECT_EQ(fourth.error().status, Status::kNoSpace);
  EXPECT_TRUE(driver->CloseSession(first).has_value());
  MustCreate(*driver, algorithm, Operation::kEncrypt, key);
}

// faults.md, device 15.
TEST(Sessions, UseAfterClose_InvalidSession) {
  const auto driver = OpenLoopback();
  const Algorithm& algorithm = Algorithms()[kAes128Cbc];
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  Job before(algorithm, key, session, Operation::kEncrypt, 64, 1);
  driver->channel(0).Call(before.request, kTimeout);
  EXPECT_TRUE(before.Right());
  EXPECT_TRUE(driver->CloseSession(session).has_value());
  Job after(algorithm, key, session, Operation::kEncrypt, 64, 1);
  EXPECT_EQ(driver->channel(0).Call(after.request, kTimeout), Status::kInvalidSession);
  const auto again = driver->CloseSession(session);
  ASSERT_FALSE(again.has_value());
  EXPECT_TRUE(IsDeviceAnswer(again.error().status));
  EXPECT_NE(MustCreate(*driver, algorithm, Operation::kEncrypt, key), session) << "id reused";
}

TEST(Sessions, OperationAgainstDirection_Err) {
  const auto driver = OpenLoopback();
  const Algorithm& algorithm = Algorithms()[kAes128Cbc];
  const Bytes key = Noise(16, 1);
  const auto session = MustCreate(*driver, algorithm, Operation::kEncrypt, key);
  Job job(algorithm, key, session, Operation::kDecrypt, 64, 1);
  EXPECT_EQ(driver->channel(0).Call(job.request, kTimeout), Status::kError);
}

}  // namespace
}  // namespace sealane::loopback_test
