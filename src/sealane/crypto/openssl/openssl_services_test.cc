// SPDX-License-Identifier: Apache-2.0
//
// Every hash, MAC, AEAD and some chains: on random input as plain OpenSSL says, wherever the
// payload lies; at the edges of length; and with tags that do not fit. Plain ciphers have tests of
// their own.
#include <gtest/gtest.h>
#include <openssl/err.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "sealane/crypto/openssl/scatter_arena.h"
#include "sealane/crypto/openssl/service_runner.h"

namespace sealane::crypto {
namespace {

SecretBytes Key(const Bytes& bytes) { return SecretBytes(std::span<const uint8_t>(bytes)); }

// One kind of session with what OpenSSL says of an input. Makers, because parameters hold keys and
// cannot be copied.
struct ServiceCase {
  std::string name;
  std::function<SessionParams()> params;
  std::function<ServiceInput(size_t len)> input;  // with a payload of about that length
  std::function<ServiceOutput(const ServiceInput&)> expected;
};

ServiceCase HashCase(HashAlgorithm algorithm, uint32_t len) {
  return {.name = std::string(Traits(algorithm).name),
          .params = [=] { return HashParams{.algorithm = algorithm, .result_len = len}; },
          .input = [](size_t size) { return ServiceInput{.src = TestBytes(size, 1)}; },
          .expected =
              [=](const ServiceInput& input) {
                return ServiceOutput{.dst = ReferenceHash(algorithm, len, input.src), .tag = {}};
              }};
}

ServiceCase MacCase(MacAlgorithm algorithm, size_t key_len, uint32_t len) {
  const Bytes key = TestBytes(key_len, 2);
  const size_t iv_len = Traits(algorithm).iv_len;
  return {.name = std::string(Traits(algorithm).name) + " " + std::to_string(key_len),
          .params =
              [=] { return MacParams{.algorithm = algorithm, .result_len = len, .key = Key(key)}; },
          .input = [=](size_t size) { return ServiceInput{.src = TestBytes(size + iv_len, 3)}; },
          .expected =
              [=](const ServiceInput& input) {
                return ServiceOutput{.dst = ReferenceMac(algorithm, len, key, input.src),
                                     .tag = {}};
              }};
}

ServiceCase AeadCase(AeadAlgorithm algorithm, size_t key_len, size_t iv_len, uint32_t tag_len) {
  const Bytes key = TestBytes(key_len, 4);
  return {
      .name = std::string(Traits(algorithm).name) + " " + std::to_string(key_len),
      .params =
          [=] { return AeadParams{.algorithm = algorithm, .tag_len = tag_len, .key = Key(key)}; },
      .input =
          [=](size_t size) {
            return ServiceInput{.iv = TestBytes(iv_len, 5),
                                .aad = TestBytes(size % 100, 6),
                                .src = TestBytes(size, 7)};
          },
      .expected =
          [=](const ServiceInput& input) {
            const Bytes both = ReferenceAead(algorithm, tag_len, key, input);
            const auto middle = both.begin() + static_cast<ptrdiff_t>(input.src.size());
            return ServiceOutput{.dst = Bytes(both.begin(), middle),
                                 .tag = Bytes(middle, both.end())};
          }};
}

// AES-CBC over all but the first 16 bytes, SHA-256 (or its HMAC) over all but the last 16.
ServiceCase ChainCase(Direction direction, bool hash_first, bool has_mac) {
  const Bytes key = TestBytes(16, 8);
  const Bytes auth_key = TestBytes(40, 9);
  const auto digest = [=](const Bytes& message) {
    return has_mac ? ReferenceMac(MacAlgorithm::kHmacSha256, 32, auth_key, message)
                   : ReferenceHash(HashAlgorithm::kSha256, 32, message);
  };
  return {.name = std::string("chain") + (direction == Direction::kEncrypt ? " encrypt" : "") +
                  (hash_first ? " hash first" : "") + (has_mac ? " mac" : ""),
          .params =
              [=] {
                ChainParams params{.cipher = {.direction = direction, .key = Key(key)},
                                   .hash = HashParams{.result_len = 32},
                                   .hash_first = hash_first};
                if (has_mac) params.hash = MacParams{.result_len = 32, .key = Key(auth_key)};
                return params;
              },
          .input =
              [](size_t size) {
                const auto len = static_cast<uint32_t>(size / 16 * 16 + 32);
                return ServiceInput{.iv = TestBytes(16, 10),
                                    .aad = TestBytes(13, 11),
                                    .src = TestBytes(len, 12),
                                    .cipher_range = {.offset = 16, .len = len - 16},
                                    .hash_range = {.offset = 0, .len = len - 16}};
              },
          .expected =
              [=](const ServiceInput& input) {
                const Bytes tail(input.src.begin() + 16, input.src.end());
                const Bytes crypted =
                    ReferenceCrypt(CipherAlgorithm::kAesCbc, direction, key, input.iv, tail);
                ServiceOutput output{.dst = input.src, .tag = {}};
                std::ranges::copy(crypted, output.dst.begin() + 16);
                Bytes hashed = input.aad;
                const Bytes& of = hash_first ? input.src : output.dst;
                hashed.insert(hashed.end(), of.begin(), of.end() - 16);
                output.tag = digest(hashed);
                return output;
              }};
}

std::vector<ServiceCase> AllCases() {
  std::vector<ServiceCase> cases;
  for (size_t i = 0; i < kNumHashAlgorithms; ++i) {
    const auto algorithm = static_cast<HashAlgorithm>(i);
    const size_t len = Traits(algorithm).digest_len;
    cases.push_back(HashCase(algorithm, len == 0 ? 1000 : static_cast<uint32_t>(len)));
  }
  cases.push_back(HashCase(HashAlgorithm::kSha512, 20));
  for (size_t i = 0; i <= static_cast<size_t>(MacAlgorithm::kHmacSha512); ++i) {
    const auto algorithm = static_cast<MacAlgorithm>(i);
    cases.push_back(MacCase(algorithm, 64, static_cast<uint32_t>(Traits(algorithm).mac_len)));
  }
  cases.push_back(MacCase(MacAlgorithm::kHmacSha1, 512, 12));
  cases.push_back(MacCase(MacAlgorithm::kCmacDes3, 24, 8));
  for (const size_t key_len : {16U, 24U, 32U}) {
    cases.push_back(MacCase(MacAlgorithm::kCmacAes, key_len, 16));
    cases.push_back(MacCase(MacAlgorithm::kGmacAes, key_len, 16));
    cases.push_back(AeadCase(AeadAlgorithm::kAesGcm, key_len, 12, 16));
    cases.push_back(AeadCase(AeadAlgorithm::kAesCcm, key_len, 13, 10));
  }
  cases.push_back(AeadCase(AeadAlgorithm::kAesGcm, 16, 12, 4));
  cases.push_back(AeadCase(AeadAlgorithm::kAesCcm, 16, 7, 16));
  cases.push_back(AeadCase(AeadAlgorithm::kChaCha20Poly1305, 32, 12, 16));
  for (const Direction direction : {Direction::kEncrypt, Direction::kDecrypt}) {
    for (const bool hash_first : {false, true}) {
      cases.push_back(ChainCase(direction, hash_first, false));
      cases.push_back(ChainCase(direction, hash_first, true));
    }
  }
  return cases;
}

class Services : public ::testing::TestWithParam<ServiceCase> {
 protected:
  Services() : info_(InfoOf(GetParam().params())) {
    session_ = OpenService(runner_, GetParam().params());
  }
  ServiceOutput Run(const ServiceInput& input) {
    return RunService(runner_.lane(), *session_, info_, input);
  }
  bool HasTag() const {
    return info_.kind == SessionKind::kChain || info_.kind == SessionKind::kAead;
  }

  // The same on scattered memory. `dst` null: in place.
  void ExpectScattered(const ServiceInput& input, const Layout& from, const Layout* to) {
    Arena src(from, input.src.size());
    Arena aad(from, input.aad.size());
    Arena dst(to == nullptr ? from : *to, OutLen(info_, input.src.size()));
    src.Write(input.src);
    aad.Write(input.aad);
    Op op = MakeOp(*session_, input.iv);
    op.src = src.segments();
    op.aad = aad.segments();
    op.dst = to == nullptr ? src.segments() : dst.segments();
    op.len = input.src.size();
    op.aad_len = input.aad.size();
    op.out_len = OutLen(info_, input.src.size());
    op.cipher_range = input.cipher_range;
    op.hash_range = input.hash_range;
    ASSERT_EQ(runner_.Run(op), Status::kOk);
    const ServiceOutput expected = GetParam().expected(input);
    EXPECT_TRUE((to == nullptr ? src : dst).Read() == expected.dst);
    if (HasTag()) {
      EXPECT_EQ(Bytes(op.tag.begin(), op.tag.begin() + info_.result_len), expected.tag);
    }
    EXPECT_TRUE(src.OnlyPayloadWasTouched());
    EXPECT_TRUE(dst.OnlyPayloadWasTouched());
  }

  LaneRunner runner_;
  const SessionInfo info_;
  std::unique_ptr<LaneSession> session_;
};

TEST_P(Services, ManyLengths_AsOpenSsl) {
  for (const size_t len : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 65U, 127U, 1000U, 5000U, 65000U}) {
    const ServiceInput input = GetParam().input(len);
    EXPECT_EQ(Run(input), GetParam().expected(input)) << len;
  }
  EXPECT_EQ(ERR_peek_error(), 0UL);
}

TEST_P(Services, EveryLayout_GivesTheSameBytes) {
  for (const size_t len : {37U, 10000U}) {
    const ServiceInput input = GetParam().input(len);
    for (const Layout& from : Layouts()) {
      for (const Layout& to : Layouts()) {
        SCOPED_TRACE(std::string(from.name) + " to " + to.name + " " + std::to_string(len));
        ExpectScattered(input, from, &to);
      }
      const bool same_len = OutLen(info_, input.src.size()) == input.src.size();
      if (same_len) ExpectScattered(input, from, nullptr);
    }
  }
}

TEST_P(Services, AfterARefusedOp_TheNextIsRight) {
  ServiceInput input = GetParam().input(100);
  const ServiceOutput expected = GetParam().expected(input);
  ServiceInput wrong = input;
  Bytes byte(1);
  const std::array<Segment, 1> piece = {Segment{byte.data(), byte.size()}};
  Op op = MakeOp(*session_, input.iv);
  op.src = op.dst = piece;
  op.len = op.out_len = 77;  // not what the lists have
  EXPECT_EQ(runner_.Run(op), Status::kError);
  op.len = kMaxPayload + 1;
  EXPECT_EQ(runner_.Run(op), Status::kError);
  EXPECT_EQ(ERR_peek_error(), 0UL);
  EXPECT_EQ(Run(input), expected);
}

std::string NameOf(const ::testing::TestParamInfo<ServiceCase>& test) {
  std::string name = test.param.name + " " + std::to_string(test.index);
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Services, ::testing::ValuesIn(AllCases()), NameOf);

// --- Tags.

struct AeadKind {
  AeadAlgorithm algorithm;
  size_t iv_len;
  uint32_t tag_len;
};
constexpr auto kAeadKinds = std::to_array<AeadKind>({{AeadAlgorithm::kAesGcm, 12, 16},
                                                     {AeadAlgorithm::kAesGcm, 12, 4},
                                                     {AeadAlgorithm::kAesCcm, 12, 16},
                                                     {AeadAlgorithm::kAesCcm, 13, 4},
                                                     {AeadAlgorithm::kChaCha20Poly1305, 12, 16}});

class AeadTags : public ::testing::TestWithParam<AeadKind> {
 protected:
  AeadParams Params(Direction direction) const {
    return {.algorithm = GetParam().algorithm,
            .direction = direction,
            .tag_len = GetParam().tag_len,
            .key = Key(TestBytes(32, 20))};
  }
  // What decryption takes: ciphertext, tag, AAD of a payload.
  ServiceInput Sealed(size_t len, size_t aad_len) {
    const ServiceInput plain{.iv = TestBytes(GetParam().iv_len, 21),
                             .aad = TestBytes(aad_len, 22),
                             .src = TestBytes(len, 23)};
    const auto session = OpenService(runner_, Params(Direction::kEncrypt));
    const ServiceOutput sealed = RunService(
        runner_.lane(), *session, InfoOf(SessionParams(Params(Direction::kEncrypt))), plain);
    return {.iv = plain.iv, .aad = plain.aad, .src = sealed.dst, .tag = sealed.tag};
  }
  ServiceOutput Open(const ServiceInput& input) {
    return RunService(runner_.lane(), *decryptor_, info_, input);
  }
  void ExpectRefused(const ServiceInput& input) {
    const ServiceOutput output = Open(input);
    EXPECT_EQ(output.status, Status::kBadMessage);
    EXPECT_EQ(output.dst, Bytes(input.src.size())) << "not zeroed";
    EXPECT_EQ(ERR_peek_error(), 0UL);
  }

  LaneRunner runner_;
  const SessionInfo info_ = InfoOf(SessionParams(Params(Direction::kDecrypt)));
  std::unique_ptr<LaneSession> decryptor_ = OpenService(runner_, Params(Direction::kDecrypt));
};

TEST_P(AeadTags, EachBitOfTheTagFlipped_BadMessageAndZeroes) {
  for (const auto& [len, aad_len] :
       {std::pair(50U, 20U), std::pair(0U, 20U), std::pair(50U, 0U), std::pair(0U, 0U)}) {
    const ServiceInput good = Sealed(len, aad_len);
    for (size_t bit = 0; bit < 8 * good.tag.size(); ++bit) {
      ServiceInput bad = good;
      bad.tag[bit / 8] = static_cast<uint8_t>(bad.tag[bit / 8] ^ 1U << bit % 8);
      ExpectRefused(bad);
    }
    const ServiceOutput opened = Open(good);
    EXPECT_EQ(opened.status, Status::kOk);
    EXPECT_EQ(opened.dst, TestBytes(len, 23));
  }
}

TEST_P(AeadTags, AnythingElseChanged_BadMessageAndZeroes) {
  const ServiceInput good = Sealed(100, 30);
  for (Bytes ServiceInput::* const field :
       {&ServiceInput::iv, &ServiceInput::aad, &ServiceInput::src}) {
    ServiceInput bad = good;
    (bad.*field).back() ^= 0x80;
    ExpectRefused(bad);
    bad = good;
    (bad.*field).front() ^= 1;
    ExpectRefused(bad);
  }
  EXPECT_EQ(Open(good).status, Status::kOk);
}

TEST_P(AeadTags, BadTagInPlaceAndInPieces_AllOfItIsZeroed) {
  ServiceInput input = Sealed(5000, 10);
  input.tag[0] ^= 1;
  for (const Layout& layout : Layouts()) {
    Arena payload(layout, input.src.size());
    Bytes aad = input.aad;
    const std::array<Segment, 1> aad_piece = {Segment{aad.data(), aad.size()}};
    payload.Write(input.src);
    Op op = MakeOp(*decryptor_, input.iv);
    op.src = op.dst = payload.segments();
    op.len = op.out_len = input.src.size();
    op.aad = aad_piece;
    op.aad_len = aad.size();
    std::ranges::copy(input.tag, op.tag.begin());
    EXPECT_EQ(runner_.Run(op), Status::kBadMessage) << layout.name;
    EXPECT_EQ(payload.Read(), Bytes(input.src.size())) << layout.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, AeadTags, ::testing::ValuesIn(kAeadKinds));

}  // namespace
}  // namespace sealane::crypto
