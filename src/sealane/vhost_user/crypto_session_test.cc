// SPDX-License-Identifier: Apache-2.0
#include "sealane/vhost_user/crypto_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sealane/vhost_user/fake_handler.h"

namespace sealane::vhost_user {
namespace {

constexpr size_t kSmall = 632;
constexpr size_t kLarge = 1072;

// Sent by QEMU 7.2 for the cbc(aes) self-test of a Linux 6.1 guest; the remaining bytes are 0.
constexpr char kCapturedL2[] =
    "0000000000000000"                   // session id
    "0300000010000000"                   // cipher_alg AES-CBC, key_len 16
    "00000000000000000000000000000000"   // hash_alg ... add_len
    "0101000000000000"                   // op_type, direction, hash_mode, order
    "a0fb25c00e7f00000000000000000000"   // heap addresses of the front-end
    "06a9214036b8a15b512e03d534120006";  // key
constexpr char kCapturedKey[] = "06a9214036b8a15b512e03d534120006";

// The same session in QEMU 10's layout, from its documented offsets.
constexpr char kL3[] =
    "0200000000000000"
    "0300000010000000"
    "00000000000000000000000000000000"
    "0102000000000000"
    "a0fb25c00e7f00000000000000000000"
    "2b7e151628aed2a6abf7158809cf4f3c";

// And in the layout of QEMU 7.0: op_code before the algorithm.
constexpr char kL1[] =
    "0000000000000000"
    "0200000003000000"  // op_code, cipher_alg
    "10000000"          // key_len
    "00000000000000000000000000000000"
    "01010000"  // op_type, direction
    "a0fb25c00e7f00000000000000000000"
    "2b7e151628aed2a6abf7158809cf4f3c";

std::vector<uint8_t> Payload(const char* hex, size_t size) {
  std::vector<uint8_t> payload = FromHex(hex);
  payload.resize(size);
  return payload;
}

void PutU32(std::vector<uint8_t>& payload, size_t offset, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) payload.at(offset + i) = static_cast<uint8_t>(value >> (8 * i));
}

CryptoSessionDescription MustDecode(const std::vector<uint8_t>& payload) {
  auto description = DecodeCryptoSession(payload);
  EXPECT_TRUE(description.has_value());
  return description ? std::move(*description) : CryptoSessionDescription{};
}

const SymmetricSession& Symmetric(const CryptoSessionDescription& description) {
  return std::get<SymmetricSession>(description.session);
}

int64_t IdAt(const std::vector<uint8_t>& reply, size_t offset) {
  uint64_t id = 0;
  for (size_t i = 0; i < 8; ++i) id |= uint64_t{reply.at(offset + i)} << (8 * i);
  return static_cast<int64_t>(id);
}

TEST(DecodeCryptoSession, CapturedL2_IsUnderstood) {
  const auto description = MustDecode(Payload(kCapturedL2, kSmall));
  EXPECT_EQ(description.layout, CryptoLayout::kL2);
  EXPECT_EQ(description.op_code, 2U);
  ASSERT_FALSE(description.is_asymmetric());
  const SymmetricSession& session = Symmetric(description);
  EXPECT_EQ(session.cipher_alg, 3U);
  EXPECT_EQ(session.op_type, 1U);
  EXPECT_EQ(session.direction, 1U);
  EXPECT_EQ(HexEncode(session.key.bytes()), kCapturedKey);
  EXPECT_EQ(session.auth_key.size(), 0U);
}

TEST(DecodeCryptoSession, L3_IsUnderstood) {
  const auto description = MustDecode(Payload(kL3, kLarge));
  EXPECT_EQ(description.layout, CryptoLayout::kL3);
  EXPECT_EQ(description.op_code, 2U);
  ASSERT_FALSE(description.is_asymmetric());
  EXPECT_EQ(Symmetric(description).cipher_alg, 3U);
  EXPECT_EQ(Symmetric(description).direction, 2U);
  EXPECT_EQ(HexEncode(Symmetric(description).key.bytes()), "2b7e151628aed2a6abf7158809cf4f3c");
}

TEST(DecodeCryptoSession, L1_IsUnderstood) {
  const auto description = MustDecode(Payload(kL1, kSmall));
  EXPECT_EQ(description.layout, CryptoLayout::kL1);
  EXPECT_EQ(description.op_code, 2U);
  ASSERT_FALSE(description.is_asymmetric());
  EXPECT_EQ(Symmetric(description).cipher_alg, 3U);
  EXPECT_EQ(Symmetric(description).direction, 1U);
  EXPECT_EQ(HexEncode(Symmetric(description).key.bytes()), "2b7e151628aed2a6abf7158809cf4f3c");
}

TEST(DecodeCryptoSession, L3WithUpperOpcodeBytes_IgnoresThem) {
  auto payload = Payload(kL3, kLarge);
  PutU32(payload, 4, 0xdeadbeef);
  EXPECT_EQ(MustDecode(payload).op_code, 2U);
}

TEST(DecodeCryptoSession, L3WithGarbageInUnusedBytes_IgnoresIt) {
  auto payload = Payload(kL3, kLarge);
  std::fill(payload.begin() + 72, payload.end(), uint8_t{0xa5});
  EXPECT_EQ(HexEncode(Symmetric(MustDecode(payload)).key.bytes()),
            "2b7e151628aed2a6abf7158809cf4f3c");
}

// L2 with AES-ECB (2) looks like L1's opcode; the key length decides.
TEST(DecodeCryptoSession, L2WithAesEcb_IsNotTakenForL1) {
  for (const uint32_t key_len : {16U, 24U, 32U}) {
    auto payload = Payload(kCapturedL2, kSmall);
    PutU32(payload, 8, 2);
    PutU32(payload, 12, key_len);
    const auto description = MustDecode(payload);
    EXPECT_EQ(description.layout, CryptoLayout::kL2);
    EXPECT_EQ(Symmetric(description).cipher_alg, 2U);
    EXPECT_EQ(Symmetric(description).key.size(), key_len);
  }
}

TEST(DecodeCryptoSession, EveryAlgorithm_IsFoundInBothSmallLayouts) {
  for (uint32_t algorithm = 1; algorithm <= 14; ++algorithm) {
    auto l1 = Payload(kL1, kSmall);
    PutU32(l1, 12, algorithm);
    EXPECT_EQ(MustDecode(l1).layout, CryptoLayout::kL1);
    EXPECT_EQ(Symmetric(MustDecode(l1)).cipher_alg, algorithm);
    auto l2 = Payload(kCapturedL2, kSmall);
    PutU32(l2, 8, algorithm);
    EXPECT_EQ(MustDecode(l2).layout, CryptoLayout::kL2);
    EXPECT_EQ(Symmetric(MustDecode(l2)).cipher_alg, algorithm);
  }
}

TEST(DecodeCryptoSession, HashAndAuthKey_AreDecoded) {
  auto payload = Payload(kCapturedL2, kSmall);
  PutU32(payload, 16, 2);
  PutU32(payload, 20, 20);
  PutU32(payload, 24, 512);
  PutU32(payload, 28, 7);
  payload[32] = 2;
  payload[34] = 2;
  payload[35] = 1;
  payload[120] = 0x11;
  payload[631] = 0x22;
  const auto description = MustDecode(payload);
  const SymmetricSession& session = Symmetric(description);
  EXPECT_EQ(session.hash_alg, 2U);
  EXPECT_EQ(session.hash_result_len, 20U);
  EXPECT_EQ(session.add_len, 7U);
  EXPECT_EQ(session.op_type, 2U);
  EXPECT_EQ(session.hash_mode, 2U);
  EXPECT_EQ(session.alg_chain_order, 1U);
  ASSERT_EQ(session.auth_key.size(), 512U);
  EXPECT_EQ(session.auth_key.bytes()[0], 0x11);
  EXPECT_EQ(session.auth_key.bytes()[511], 0x22);
}

std::vector<uint8_t> AsymmetricPayload(uint32_t key_len) {
  std::vector<uint8_t> payload(kLarge);
  PutU32(payload, 0, 0x404);
  PutU32(payload, 8, 1);
  PutU32(payload, 12, 2);
  PutU32(payload, 16, key_len);
  PutU32(payload, 32, 1);
  PutU32(payload, 36, 3);
  payload[40] = 0x30;
  payload[1063] = 0x99;
  return payload;
}

TEST(DecodeCryptoSession, Asymmetric_IsDecoded) {
  const auto description = MustDecode(AsymmetricPayload(1024));
  ASSERT_TRUE(description.is_asymmetric());
  EXPECT_EQ(description.op_code, 0x404U);
  const auto& session = std::get<AsymmetricSession>(description.session);
  EXPECT_EQ(session.algo, 1U);
  EXPECT_EQ(session.key_type, 2U);
  EXPECT_EQ(session.rsa_padding_algo, 1U);
  EXPECT_EQ(session.rsa_hash_algo, 3U);
  ASSERT_EQ(session.key.size(), 1024U);
  EXPECT_EQ(session.key.bytes()[0], 0x30);
  EXPECT_EQ(session.key.bytes()[1023], 0x99);
}

TEST(DecodeCryptoSession, AsymmetricKeyTooLong_IsRefused) {
  EXPECT_FALSE(DecodeCryptoSession(AsymmetricPayload(1025)).has_value());
  EXPECT_FALSE(DecodeCryptoSession(AsymmetricPayload(0xffffffff)).has_value());
}

struct LayoutCase {
  const char* hex;
  size_t size;
  size_t key_len_offset;
  size_t auth_key_len_offset;
  uint32_t max_key_len;
};

class EachLayout : public testing::TestWithParam<LayoutCase> {};

TEST_P(EachLayout, KeyLongerThanItsField_IsRefused) {
  const LayoutCase& layout = GetParam();
  auto payload = Payload(layout.hex, layout.size);
  PutU32(payload, layout.key_len_offset, 64);
  EXPECT_EQ(Symmetric(MustDecode(payload)).key.size(), 64U);
  for (const uint32_t key_len : {65U, 513U, 0x80000000U, 0xffffffffU}) {
    PutU32(payload, layout.key_len_offset, key_len);
    const auto refused = DecodeCryptoSession(payload);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  }
}

TEST_P(EachLayout, AuthKeyLongerThanItsField_IsRefused) {
  const LayoutCase& layout = GetParam();
  auto payload = Payload(layout.hex, layout.size);
  PutU32(payload, layout.auth_key_len_offset, 512);
  EXPECT_EQ(Symmetric(MustDecode(payload)).auth_key.size(), 512U);
  for (const uint32_t key_len : {513U, 0xffffffffU}) {
    PutU32(payload, layout.auth_key_len_offset, key_len);
    EXPECT_FALSE(DecodeCryptoSession(payload).has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(CryptoSession, EachLayout,
                         testing::Values(LayoutCase{kL1, kSmall, 16, 28, 64},
                                         LayoutCase{kCapturedL2, kSmall, 12, 24, 64},
                                         LayoutCase{kL3, kLarge, 12, 24, 64}));

TEST(DecodeCryptoSession, UnknownSize_IsRefused) {
  for (const size_t size : {0U, 8U, 631U, 633U, 1071U, 1073U, 4096U}) {
    const auto refused = DecodeCryptoSession(std::vector<uint8_t>(size));
    ASSERT_FALSE(refused.has_value()) << size;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  }
}

TEST(EncodeCryptoSessionReply, EachLayout_HasTheIdInItsPlaceAndNoKey) {
  struct Row {
    const char* hex;
    size_t size;
    size_t id_offset;
  };
  for (const Row& row :
       {Row{kL1, kSmall, 0}, Row{kCapturedL2, kSmall, 0}, Row{kL3, kLarge, 1064}}) {
    auto reply = EncodeCryptoSessionReply(Payload(row.hex, row.size), 0x1122334455667788);
    ASSERT_EQ(reply.size(), row.size);
    EXPECT_EQ(IdAt(reply, row.id_offset), 0x1122334455667788);
    const auto id = reply.begin() + static_cast<ptrdiff_t>(row.id_offset);
    std::fill(id, id + 8, uint8_t{0});
    EXPECT_TRUE(std::ranges::all_of(reply, [](uint8_t byte) { return byte == 0; }));
  }
}

TEST(EncodeCryptoSessionReply, UnknownSize_SaysNoAtBothEnds) {
  const auto reply = EncodeCryptoSessionReply(std::vector<uint8_t>(700, 0x77), -1);
  ASSERT_EQ(reply.size(), 700U);
  EXPECT_EQ(IdAt(reply, 0), -1);
  EXPECT_EQ(IdAt(reply, 692), -1);
  EXPECT_EQ(reply[8], 0);
}

TEST(EncodeCryptoSessionReply, TinyPayload_IsAnsweredWithTheIdAlone) {
  const auto reply = EncodeCryptoSessionReply(std::vector<uint8_t>(3), -5);
  ASSERT_EQ(reply.size(), 8U);
  EXPECT_EQ(IdAt(reply, 0), -5);
}

TEST(EncodeCryptoSession, EachLayout_GivesTheForeignBytes) {
  struct Row {
    const char* hex;
    size_t size;
  };
  for (const Row& row : {Row{kL1, kSmall}, Row{kCapturedL2, kSmall}, Row{kL3, kLarge}}) {
    auto foreign = Payload(row.hex, row.size);
    const auto encoded = EncodeCryptoSession(MustDecode(foreign));
    ASSERT_TRUE(encoded.has_value());
    // Ours has no heap addresses to give away.
    std::fill(foreign.begin() + 40, foreign.begin() + 56, uint8_t{0});
    EXPECT_EQ(HexEncode(encoded->bytes()), HexEncode(foreign));
  }
}

TEST(EncodeCryptoSession, Asymmetric_GivesTheForeignBytes) {
  const auto foreign = AsymmetricPayload(1024);
  const auto encoded = EncodeCryptoSession(MustDecode(foreign));
  ASSERT_TRUE(encoded.has_value());
  EXPECT_EQ(HexEncode(encoded->bytes()), HexEncode(foreign));
}

TEST(EncodeCryptoSession, KeyTooLong_IsRefused) {
  auto description = MustDecode(Payload(kL3, kLarge));
  std::get<SymmetricSession>(description.session).key = SecretBytes(65);
  EXPECT_FALSE(EncodeCryptoSession(description).has_value());
  auto with_auth_key = MustDecode(Payload(kL1, kSmall));
  std::get<SymmetricSession>(with_auth_key.session).auth_key = SecretBytes(513);
  EXPECT_FALSE(EncodeCryptoSession(with_auth_key).has_value());
  auto asymmetric = MustDecode(AsymmetricPayload(16));
  std::get<AsymmetricSession>(asymmetric.session).key = SecretBytes(1025);
  EXPECT_FALSE(EncodeCryptoSession(asymmetric).has_value());
}

TEST(EncodeCryptoSession, SessionThatTheLayoutCannotCarry_IsRefused) {
  auto asymmetric = MustDecode(AsymmetricPayload(16));
  asymmetric.layout = CryptoLayout::kL2;
  const auto refused = EncodeCryptoSession(asymmetric);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  auto hash = MustDecode(Payload(kL3, kLarge));
  hash.op_code = 0x102;
  EXPECT_TRUE(EncodeCryptoSession(hash).has_value());
  hash.layout = CryptoLayout::kL2;
  EXPECT_FALSE(EncodeCryptoSession(hash).has_value());
}

TEST(EncodeCryptoSession, OpcodeAgainstKind_IsRefused) {
  auto description = MustDecode(Payload(kL3, kLarge));
  description.op_code = 0x404;
  EXPECT_FALSE(EncodeCryptoSession(description).has_value());
}

TEST(DecodeCryptoSessionReply, IdIsFoundWhereTheLayoutHasIt) {
  std::vector<uint8_t> small(kSmall);
  small[0] = 7;
  EXPECT_EQ(DecodeCryptoSessionReply(CryptoLayout::kL1, small).value(), 7);
  EXPECT_EQ(DecodeCryptoSessionReply(CryptoLayout::kL2, small).value(), 7);
  std::vector<uint8_t> large(kLarge);
  std::fill(large.begin() + 1064, large.end(), uint8_t{0xff});
  EXPECT_EQ(DecodeCryptoSessionReply(CryptoLayout::kL3, large).value(), -1);
}

TEST(DecodeCryptoSessionReply, WrongSize_IsAnError) {
  EXPECT_FALSE(
      DecodeCryptoSessionReply(CryptoLayout::kL3, std::vector<uint8_t>(kSmall)).has_value());
  EXPECT_FALSE(
      DecodeCryptoSessionReply(CryptoLayout::kL2, std::vector<uint8_t>(kLarge)).has_value());
  EXPECT_FALSE(DecodeCryptoSessionReply(CryptoLayout::kL1, {}).has_value());
}

}  // namespace
}  // namespace sealane::vhost_user
