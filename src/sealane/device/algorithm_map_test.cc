// SPDX-License-Identifier: Apache-2.0
//
// Expected numbers are those of virtio 1.3, 5.9.4 to 5.9.7, written out.
#include "sealane/device/algorithm_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sealane/device/status_map.h"

namespace sealane::device {
namespace {

using crypto::AeadAlgorithm;
using crypto::AkcipherAlgorithm;
using crypto::CipherAlgorithm;
using crypto::HashAlgorithm;
using crypto::MacAlgorithm;
using crypto::Status;

constexpr std::array<std::pair<uint32_t, CipherAlgorithm>, crypto::kNumCipherAlgorithms> kCiphers =
    {{
        {1, CipherAlgorithm::kArc4},
        {2, CipherAlgorithm::kAesEcb},
        {3, CipherAlgorithm::kAesCbc},
        {4, CipherAlgorithm::kAesCtr},
        {5, CipherAlgorithm::kDesEcb},
        {6, CipherAlgorithm::kDesCbc},
        {7, CipherAlgorithm::kDes3Ecb},
        {8, CipherAlgorithm::kDes3Cbc},
        {9, CipherAlgorithm::kDes3Ctr},
        {10, CipherAlgorithm::kKasumiF8},
        {11, CipherAlgorithm::kSnow3gUea2},
        {13, CipherAlgorithm::kAesXts},
        {14, CipherAlgorithm::kZucEea3},
    }};

// Numbers of the specification's tables, in the order of the enumerations.
constexpr std::array<uint32_t, crypto::kNumHashAlgorithms> kHashes = {1, 2, 3, 4,  5,  6,
                                                                      7, 8, 9, 10, 11, 12};
constexpr std::array<uint32_t, crypto::kNumMacAlgorithms> kMacs = {1,  2,  3,  4,  5,  6,  25,
                                                                   26, 27, 28, 41, 49, 53, 54};
constexpr std::array<uint32_t, crypto::kNumAeadAlgorithms> kAeads = {1, 2, 3};
constexpr std::array<uint32_t, crypto::kNumAkcipherAlgorithms> kAkciphers = {1, 2};

// The table both ways, and nothing for any other number.
template <class Algorithm, size_t kSize>
void ExpectTable(const std::array<uint32_t, kSize>& numbers,
                 std::optional<Algorithm> (*from_wire)(uint32_t)) {
  for (size_t i = 0; i < kSize; ++i) {
    EXPECT_EQ(ToWire(static_cast<Algorithm>(i)), numbers[i]);
    EXPECT_EQ(from_wire(numbers[i]), static_cast<Algorithm>(i)) << numbers[i];
  }
  for (uint32_t number = 0; number < 0x200; ++number) {
    const bool known = std::ranges::find(numbers, number) != numbers.end();
    EXPECT_EQ(from_wire(number).has_value(), known) << number;
  }
  EXPECT_FALSE(from_wire(0xffffffff).has_value());
  EXPECT_FALSE(from_wire(0x10001).has_value());
}

TEST(AlgorithmMap, EveryAlgorithm_HasItsNumberBothWays) {
  for (const auto& [number, algorithm] : kCiphers) {
    EXPECT_EQ(ToWire(algorithm), number);
    EXPECT_EQ(CipherFromWire(number), algorithm);
  }
  EXPECT_FALSE(CipherFromWire(0).has_value());
  EXPECT_FALSE(CipherFromWire(12).has_value()) << "AES_F8";
  EXPECT_FALSE(CipherFromWire(15).has_value());
  ExpectTable(kHashes, HashFromWire);
  ExpectTable(kMacs, MacFromWire);
  ExpectTable(kAeads, AeadFromWire);
  ExpectTable(kAkciphers, AkcipherFromWire);
}

TEST(Config, OneCipherOffered_OnlyItsBitIsSet) {
  for (const auto& [number, algorithm] : kCiphers) {
    crypto::EngineCaps caps{.name = "one"};
    caps.ciphers.Add(algorithm);
    EXPECT_EQ(MakeConfig(caps, 1, {}).cipher_algo_l.get(), 1U << number);
  }
}

TEST(Config, CiphersAlone_NothingElseIsSaid) {
  crypto::EngineCaps caps{.name = "ciphers"};
  for (const auto& [number, algorithm] : kCiphers) caps.ciphers.Add(algorithm);
  const wire::virtio_crypto_config config = MakeConfig(caps, 7, {});
  EXPECT_EQ(config.status.get(), 1U) << "HW_READY";
  EXPECT_EQ(config.max_dataqueues.get(), 7U);
  EXPECT_EQ(config.crypto_services.get(), 1U) << "CIPHER alone";
  EXPECT_EQ(config.cipher_algo_l.get(), 0x6ffeU);
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

TEST(Config, EveryService_HasItsBitAndItsAlgorithms) {
  crypto::EngineCaps caps{.name = "others"};
  for (size_t i = 0; i < kHashes.size(); ++i) caps.hashes.Add(static_cast<HashAlgorithm>(i));
  for (size_t i = 0; i < kMacs.size(); ++i) caps.macs.Add(static_cast<MacAlgorithm>(i));
  for (size_t i = 0; i < kAeads.size(); ++i) caps.aeads.Add(static_cast<AeadAlgorithm>(i));
  caps.akciphers = {AkcipherAlgorithm::kRsa, AkcipherAlgorithm::kEcdsa};
  wire::virtio_crypto_config config = MakeConfig(caps, 1, {});
  EXPECT_EQ(config.crypto_services.get(), 0x1eU) << "all but CIPHER";
  EXPECT_EQ(config.hash_algo.get(), 0x1ffeU);
  EXPECT_EQ(config.mac_algo_l.get(), 0x1e00007eU);
  EXPECT_EQ(config.mac_algo_h.get(), 0x620200U);
  EXPECT_EQ(config.aead_algo.get(), 0xeU);
  EXPECT_EQ(config.max_auth_key_len.get(), 512U);
  EXPECT_EQ(config.akcipher_algo.get(), 0x6U);
  config = MakeConfig(caps, 1, {.linux_ecdsa = true});
  EXPECT_EQ(config.akcipher_algo.get(), 0xeU);
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
