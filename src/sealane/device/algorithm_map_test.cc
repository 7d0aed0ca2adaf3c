// SPDX-License-Identifier: Apache-2.0
//
// Expected numbers are those of virtio 1.3, 5.9.4 to 5.9.7, written out.
#include "sealane/device/algorithm_map.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "sealane/device/status_map.h"

namespace sealane::device {
namespace {

using crypto::CipherAlgorithm;
using crypto::Direction;
using crypto::Status;

constexpr std::array<std::pair<uint32_t, CipherAlgorithm>, crypto::kNumCipherAlgorithms> kCiphers =
    {{
        {2, CipherAlgorithm::kAesEcb},
        {3, CipherAlgorithm::kAesCbc},
        {4, CipherAlgorithm::kAesCtr},
        {7, CipherAlgorithm::kDes3Ecb},
        {8, CipherAlgorithm::kDes3Cbc},
        {9, CipherAlgorithm::kDes3Ctr},
        {13, CipherAlgorithm::kAesXts},
    }};

TEST(AlgorithmMap, EveryCipher_HasItsNumberBothWays) {
  for (const auto& [number, algorithm] : kCiphers) {
    EXPECT_EQ(CipherToWire(algorithm), number);
    const auto params = CipherSessionFromWire(number, 1, SecretBytes(16));
    ASSERT_TRUE(params.has_value()) << number;
    EXPECT_EQ(params->algorithm, algorithm);
    EXPECT_EQ(params->key.size(), 16U);
  }
}

TEST(AlgorithmMap, EveryOtherNumber_IsNotSupported) {
  std::set<uint32_t> known;
  for (const auto& [number, algorithm] : kCiphers) known.insert(number);
  for (uint32_t number = 0; number < 0x200; ++number) {
    if (known.contains(number)) continue;
    EXPECT_EQ(CipherSessionFromWire(number, 1, SecretBytes(16)).error(), Status::kNotSupported);
  }
  EXPECT_EQ(CipherSessionFromWire(0xffffffff, 1, SecretBytes(16)).error(), Status::kNotSupported);
  EXPECT_EQ(CipherSessionFromWire(0x10003, 1, SecretBytes(16)).error(), Status::kNotSupported);
}

TEST(AlgorithmMap, Direction_OneEncryptsTwoDecryptsOthersAreErrors) {
  EXPECT_EQ(CipherSessionFromWire(3, 1, SecretBytes(16))->direction, Direction::kEncrypt);
  EXPECT_EQ(CipherSessionFromWire(3, 2, SecretBytes(16))->direction, Direction::kDecrypt);
  for (const uint32_t direction : {0U, 3U, 0x101U, 0xffffffffU}) {
    EXPECT_EQ(CipherSessionFromWire(3, direction, SecretBytes(16)).error(), Status::kError);
  }
}

TEST(Config, OneCipherOffered_OnlyItsBitIsSet) {
  for (const auto& [number, algorithm] : kCiphers) {
    const crypto::EngineCaps caps{.name = "one", .ciphers = 1U << static_cast<unsigned>(algorithm)};
    EXPECT_EQ(MakeConfig(caps, 1).cipher_algo_l.get(), 1U << number);
  }
}

TEST(Config, Fields_SayCipherServiceAndItsLimits) {
  const wire::virtio_crypto_config config = MakeConfig({.name = "all", .ciphers = 0x7f}, 7);
  EXPECT_EQ(config.status.get(), 1U) << "HW_READY";
  EXPECT_EQ(config.max_dataqueues.get(), 7U);
  EXPECT_EQ(config.crypto_services.get(), 1U) << "CIPHER alone";
  EXPECT_EQ(config.cipher_algo_l.get(), 0x239cU);
  EXPECT_EQ(config.cipher_algo_h.get(), 0U);
  EXPECT_EQ(config.hash_algo.get(), 0U);
  EXPECT_EQ(config.mac_algo_l.get(), 0U);
  EXPECT_EQ(config.mac_algo_h.get(), 0U);
  EXPECT_EQ(config.aead_algo.get(), 0U);
  EXPECT_EQ(config.max_cipher_key_len.get(), 64U);
  EXPECT_EQ(config.max_auth_key_len.get(), 0U);
  EXPECT_EQ(config.akcipher_algo.get(), 0U);
  EXPECT_EQ(config.max_size.get(), 0x1000000U);
}

TEST(StatusMap, EveryStatus_HasItsNumber) {
  EXPECT_EQ(ToWire(Status::kOk), 0);
  EXPECT_EQ(ToWire(Status::kError), 1);
  EXPECT_EQ(ToWire(Status::kBadMessage), 2);
  EXPECT_EQ(ToWire(Status::kNotSupported), 3);
  EXPECT_EQ(ToWire(Status::kInvalidSession), 4);
  EXPECT_EQ(ToWire(Status::kNoSpace), 5);
  EXPECT_EQ(ToWire(Status::kKeyRejected), 6);
}

}  // namespace
}  // namespace sealane::device
