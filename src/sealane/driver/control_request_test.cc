// SPDX-License-Identifier: Apache-2.0
//
// Every control request against the layout of virtio 1.3, 5.9.7.2, offsets typed in from there.
#include "sealane/driver/control_request.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace sealane::driver {
namespace {

const std::vector<uint8_t> kKey(16, 0x11);
const std::vector<uint8_t> kAuthKey(20, 0x22);

// The 72 bytes with these 32-bit words, by offset; 0 elsewhere.
std::vector<uint8_t> Words(const std::map<size_t, uint32_t>& words) {
  std::vector<uint8_t> bytes(72);
  for (const auto& [offset, value] : words) {
    for (size_t i = 0; i < 4; ++i) bytes.at(offset + i) = static_cast<uint8_t>(value >> (8 * i));
  }
  return bytes;
}

std::vector<uint8_t> Fixed(const ControlRequest& request) {
  return {request.fixed.begin(), request.fixed.end()};
}

TEST(EncodeCreate, Cipher_WordsOfTheSpecification) {
  const auto request = EncodeCreate(CipherSessionParams{3, Operation::kDecrypt, kKey});
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(Fixed(*request), Words({{0, 0x002}, {4, 3}, {16, 3}, {20, 16}, {24, 2}, {64, 1}}));
  EXPECT_EQ(request->keys_len(), 16U);
}

TEST(EncodeCreate, ChainWithMac_WordsOfTheSpecificationAndBothKeys) {
  const auto request = EncodeCreate(ChainSessionParams{.cipher = {3, Operation::kEncrypt, kKey},
                                                       .hash = MacSessionParams{4, 32, kAuthKey},
                                                       .hash_first = false,
                                                       .aad_len = 7});
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(Fixed(*request), Words({{0, 0x002},
                                    {4, 3},
                                    {16, 2},  // CIPHER_THEN_HASH
                                    {20, 2},  // AUTH
                                    {24, 3},
                                    {28, 16},
                                    {32, 1},
                                    {40, 4},
                                    {44, 32},
                                    {48, 20},
                                    {56, 7},
                                    {64, 2}}));
  EXPECT_EQ(request->keys[0].data(), kKey.data());
  EXPECT_EQ(request->keys[1].data(), kAuthKey.data());
}

TEST(EncodeCreate, ChainWithPlainHash_WordsOfTheSpecification) {
  const auto request = EncodeCreate(ChainSessionParams{.cipher = {4, Operation::kDecrypt, kKey},
                                                       .hash = HashSessionParams{2, 20},
                                                       .hash_first = true});
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(Fixed(*request), Words({{0, 0x002},
                                    {4, 4},
                                    {16, 1},  // HASH_THEN_CIPHER
                                    {20, 1},  // PLAIN
                                    {24, 4},
                                    {28, 16},
                                    {32, 2},
                                    {40, 2},
                                    {44, 20},
                                    {64, 2}}));
  EXPECT_EQ(request->keys_len(), 16U);
}

TEST(EncodeCreate, HashMacAead_WordsOfTheSpecification) {
  EXPECT_EQ(Fixed(*EncodeCreate(HashSessionParams{4, 32})),
            Words({{0, 0x102}, {4, 4}, {16, 4}, {20, 32}}));
  EXPECT_EQ(Fixed(*EncodeCreate(MacSessionParams{26, 16, kKey})),
            Words({{0, 0x202}, {4, 26}, {16, 26}, {20, 16}, {24, 16}}));
  EXPECT_EQ(Fixed(*EncodeCreate(AeadSessionParams{1, Operation::kDecrypt, kKey, 12, 20})),
            Words({{0, 0x302}, {4, 1}, {16, 1}, {20, 16}, {24, 12}, {28, 20}, {32, 2}}));
}

TEST(EncodeCreate, Akcipher_WordsOfTheSpecification) {
  const std::vector<uint8_t> der(1200);
  const auto request = EncodeCreate(AkcipherSessionParams{
      .algorithm = 1, .is_private = true, .key = der, .padding_or_curve = 1, .hash = 6});
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(Fixed(*request),
            Words({{0, 0x404}, {4, 1}, {16, 1}, {20, 2}, {24, 1200}, {28, 1}, {32, 6}}));
}

TEST(EncodeCreate, ImpossibleKeyLengths_Nothing) {
  const std::vector<uint8_t> long_key(kMaxKeyLen + 1);
  const std::vector<uint8_t> long_auth_key(kMaxAuthKeyLen + 1);
  const std::vector<uint8_t> long_der(kMaxAkcipherKeyLen + 1);
  EXPECT_FALSE(EncodeCreate(CipherSessionParams{3, Operation::kEncrypt, {}}));
  EXPECT_FALSE(EncodeCreate(CipherSessionParams{3, Operation::kEncrypt, long_key}));
  EXPECT_FALSE(EncodeCreate(MacSessionParams{4, 32, {}}));
  EXPECT_FALSE(EncodeCreate(MacSessionParams{4, 32, long_auth_key}));
  EXPECT_FALSE(EncodeCreate(AeadSessionParams{1, Operation::kEncrypt, long_key, 16, 0}));
  EXPECT_FALSE(EncodeCreate(AkcipherSessionParams{.algorithm = 1, .key = long_der}));
  EXPECT_FALSE(EncodeCreate(ChainSessionParams{.cipher = {3, Operation::kEncrypt, kKey},
                                               .hash = MacSessionParams{4, 32, {}}}));
}

TEST(EncodeCreate, Revision1_FixedPartsAreNotPadded) {
  const auto len = [](const SessionParams& params) {
    return EncodeCreate(params, true)->fixed_bytes().size();
  };
  EXPECT_EQ(len(CipherSessionParams{3, Operation::kEncrypt, kKey}), 72U);
  EXPECT_EQ(len(HashSessionParams{4, 32}), 24U);
  EXPECT_EQ(len(MacSessionParams{26, 16, kKey}), 32U);
  EXPECT_EQ(len(AeadSessionParams{1, Operation::kDecrypt, kKey, 12, 20}), 40U);
  EXPECT_EQ(len(AkcipherSessionParams{.algorithm = 1, .key = kKey}), 72U);
  EXPECT_EQ(EncodeDestroy(Service::kMac, SessionId{1}, true).fixed_bytes().size(), 24U);
  EXPECT_EQ(EncodeCreate(MacSessionParams{26, 16, kKey})->fixed_bytes().size(), 72U);
}

TEST(EncodeDestroy, EachService_ItsOpcodeAndTheId) {
  const std::map<Service, uint32_t> opcodes = {{Service::kCipher, 0x003},
                                               {Service::kHash, 0x103},
                                               {Service::kMac, 0x203},
                                               {Service::kAead, 0x303},
                                               {Service::kAkcipher, 0x405}};
  for (const auto& [service, opcode] : opcodes) {
    EXPECT_EQ(Fixed(EncodeDestroy(service, SessionId{0x1122334455667788})),
              Words({{0, opcode}, {16, 0x55667788}, {20, 0x11223344}}));
  }
}

}  // namespace
}  // namespace sealane::driver
