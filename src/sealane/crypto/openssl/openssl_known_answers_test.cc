// SPDX-License-Identifier: Apache-2.0
//
// Published answers, one group for each algorithm that is not a plain cipher, and those of the
// legacy ciphers. The vectors of NIST and Crypto++ (tests/vectors) go further.
#include <gtest/gtest.h>

#include <string>

#include "sealane/base/hex.h"
#include "sealane/crypto/openssl/service_runner.h"

namespace sealane::crypto {
namespace {

Bytes Hex(std::string_view text) { return HexDecode(text).value(); }
Bytes Text(std::string_view text) { return {text.begin(), text.end()}; }
SecretBytes Key(const Bytes& bytes) { return SecretBytes(std::span<const uint8_t>(bytes)); }

class KnownAnswers : public ::testing::Test {
 protected:
  ServiceOutput Run(SessionParams params, const ServiceInput& input) {
    const SessionInfo info = InfoOf(params);
    const auto session = OpenService(runner_, std::move(params));
    return RunService(runner_.lane(), *session, info, input);
  }
  std::string Hash(HashAlgorithm algorithm, const Bytes& message, uint32_t len) {
    return HexEncode(
        Run(HashParams{.algorithm = algorithm, .result_len = len}, {.src = message}).dst);
  }
  std::string Mac(MacAlgorithm algorithm, const Bytes& key, const Bytes& message) {
    const auto len = static_cast<uint32_t>(Traits(algorithm).mac_len);
    return HexEncode(
        Run(MacParams{.algorithm = algorithm, .result_len = len, .key = Key(key)}, {.src = message})
            .dst);
  }
  // Both ways.
  void ExpectAead(AeadAlgorithm algorithm, const Bytes& key, const ServiceInput& input,
                  std::string_view ciphertext, std::string_view tag) {
    const Bytes tag_bytes = Hex(tag);
    AeadParams params{.algorithm = algorithm,
                      .tag_len = static_cast<uint32_t>(tag_bytes.size()),
                      .key = Key(key)};
    const ServiceOutput sealed = Run(std::move(params), input);
    EXPECT_EQ(sealed.status, Status::kOk);
    EXPECT_EQ(HexEncode(sealed.dst), ciphertext);
    EXPECT_EQ(HexEncode(sealed.tag), tag);
    AeadParams back{.algorithm = algorithm,
                    .direction = Direction::kDecrypt,
                    .tag_len = static_cast<uint32_t>(tag_bytes.size()),
                    .key = Key(key)};
    const ServiceOutput opened =
        Run(std::move(back),
            {.iv = input.iv, .aad = input.aad, .src = Hex(ciphertext), .tag = tag_bytes});
    EXPECT_EQ(opened.status, Status::kOk);
    EXPECT_EQ(HexEncode(opened.dst), HexEncode(input.src));
  }

  LaneRunner runner_;
};

// RFC 1321 A.5, FIPS 180-4 and FIPS 202: of "abc".
TEST_F(KnownAnswers, Hashes_OfAbc) {
  const Bytes abc = Text("abc");
  EXPECT_EQ(Hash(HashAlgorithm::kMd5, abc, 16), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Hash(HashAlgorithm::kSha1, abc, 20), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(Hash(HashAlgorithm::kSha224, abc, 28),
            "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
  EXPECT_EQ(Hash(HashAlgorithm::kSha256, abc, 32),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hash(HashAlgorithm::kSha384, abc, 48),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            "8086072ba1e7cc2358baeca134c825a7");
  EXPECT_EQ(Hash(HashAlgorithm::kSha512, abc, 64),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  EXPECT_EQ(Hash(HashAlgorithm::kSha3_224, abc, 28),
            "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf");
  EXPECT_EQ(Hash(HashAlgorithm::kSha3_256, abc, 32),
            "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
  EXPECT_EQ(Hash(HashAlgorithm::kSha3_384, abc, 48),
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
            "98d88cea927ac7f539f1edf228376d25");
  EXPECT_EQ(Hash(HashAlgorithm::kSha3_512, abc, 64),
            "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
            "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0");
  EXPECT_EQ(Hash(HashAlgorithm::kShake128, abc, 32),
            "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8");
  EXPECT_EQ(Hash(HashAlgorithm::kShake256, abc, 64),
            "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739"
            "d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4");
}

// RFC 2202 and RFC 4231, test case 1.
TEST_F(KnownAnswers, Hmac_HiThere) {
  const Bytes message = Text("Hi There");
  const Bytes key(20, 0x0b);
  EXPECT_EQ(Mac(MacAlgorithm::kHmacMd5, Bytes(16, 0x0b), message),
            "9294727a3638bb1c13f48ef8158bfc9d");
  EXPECT_EQ(Mac(MacAlgorithm::kHmacSha1, key, message), "b617318655057264e28bc0b6fb378c8ef146be00");
  EXPECT_EQ(Mac(MacAlgorithm::kHmacSha224, key, message),
            "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22");
  EXPECT_EQ(Mac(MacAlgorithm::kHmacSha256, key, message),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Mac(MacAlgorithm::kHmacSha384, key, message),
            "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
            "faea9ea9076ede7f4af152e8b2fa9cb6");
  EXPECT_EQ(Mac(MacAlgorithm::kHmacSha512, key, message),
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
            "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854");
}

// SP 800-38B, D.1 (AES-128) and D.4 (three-key Triple DES).
TEST_F(KnownAnswers, Cmac_Sp80038b) {
  const Bytes message =
      Hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  const auto first = [&](ptrdiff_t len) { return Bytes(message.begin(), message.begin() + len); };
  const Bytes aes = Hex("2b7e151628aed2a6abf7158809cf4f3c");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacAes, aes, {}), "bb1d6929e95937287fa37d129b756746");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacAes, aes, first(16)), "070a16b46b4d4144f79bdd9dd04a287c");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacAes, aes, first(40)), "dfa66747de9ae63030ca32611497c827");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacAes, aes, message), "51f0bebf7e3b9d92fc49741779363cfe");
  const Bytes des = Hex("8aa83bf8cbda10620bc1bf19fbb6cd58bc313d4a371ca8b5");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacDes3, des, {}), "b7a688e122ffaf95");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacDes3, des, first(8)), "8e8f293136283797");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacDes3, des, first(20)), "743ddbe0ce2dc2ed");
  EXPECT_EQ(Mac(MacAlgorithm::kCmacDes3, des, first(32)), "33e6b1092400eae5");
}

// RFC 3566, section 4.6.
TEST_F(KnownAnswers, Xcbc_Rfc3566) {
  const Bytes key = Hex("000102030405060708090a0b0c0d0e0f");
  const auto counting = [](size_t len) {
    Bytes bytes(len);
    for (size_t i = 0; i < len; ++i) bytes[i] = static_cast<uint8_t>(i);
    return bytes;
  };
  const auto mac = [&](const Bytes& message) { return Mac(MacAlgorithm::kXcbcAes, key, message); };
  EXPECT_EQ(mac({}), "75f0251d528ac01c4573dfd584d79f29");
  EXPECT_EQ(mac(counting(3)), "5b376580ae2f19afe7219ceef172756f");
  EXPECT_EQ(mac(counting(16)), "d2a246fa349b68a79998a4394ff7a263");
  EXPECT_EQ(mac(counting(20)), "47f51b4564966215b8985c63055ed308");
  EXPECT_EQ(mac(counting(32)), "f54f0ec8d2b9f3d36807734bd5283fd4");
  EXPECT_EQ(mac(counting(34)), "becbb3bccdb518a30677d5481fb6b4d8");
  EXPECT_EQ(mac(Bytes(1000)), "f0dafee895db30253761103b5d84528f");
}

// SP 800-38A, F.2.1: with the IV put into the first block, a CBC-MAC is the last ciphertext block.
TEST_F(KnownAnswers, CbcMac_Sp80038a) {
  const Bytes key = Hex("2b7e151628aed2a6abf7158809cf4f3c");
  Bytes message =
      Hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  for (size_t i = 0; i < 16; ++i) message[i] = static_cast<uint8_t>(message[i] ^ i);
  EXPECT_EQ(Mac(MacAlgorithm::kCbcMacAes, key, message), "3ff1caa1681fac09120eca307586e1a7");
  message.resize(16);
  EXPECT_EQ(Mac(MacAlgorithm::kCbcMacAes, key, message), "7649abac8119b246cee98e9b12e9197d");
}

// "The Galois/Counter Mode of Operation" (McGrew, Viega), test cases 1 and 4.
TEST_F(KnownAnswers, GcmAndGmac) {
  EXPECT_EQ(Mac(MacAlgorithm::kGmacAes, Bytes(16), Bytes(12)), "58e2fccefa7e3061367f1d57a4e7455a");
  ExpectAead(AeadAlgorithm::kAesGcm, Hex("feffe9928665731c6d6a8f9467308308"),
             {.iv = Hex("cafebabefacedbaddecaf888"),
              .aad = Hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
              .src = Hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                         "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")},
             "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
             "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
             "5bc94fbc3221a5db94fae95ae7121a47");
}

// SP 800-38C, C.1 and C.2: IVs of seven and eight bytes.
TEST_F(KnownAnswers, Ccm_Sp80038c) {
  const Bytes key = Hex("404142434445464748494a4b4c4d4e4f");
  ExpectAead(AeadAlgorithm::kAesCcm, key,
             {.iv = Hex("10111213141516"), .aad = Hex("0001020304050607"), .src = Hex("20212223")},
             "7162015b", "4dac255d");
  ExpectAead(AeadAlgorithm::kAesCcm, key,
             {.iv = Hex("1011121314151617"),
              .aad = Hex("000102030405060708090a0b0c0d0e0f"),
              .src = Hex("202122232425262728292a2b2c2d2e2f")},
             "d2a1f0e051ea5f62081a7792073d593d", "1fc64fbfaccd");
}

// RFC 8439, section 2.8.2.
TEST_F(KnownAnswers, ChaCha20Poly1305_Rfc8439) {
  ExpectAead(AeadAlgorithm::kChaCha20Poly1305,
             Hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"),
             {.iv = Hex("070000004041424344454647"),
              .aad = Hex("50515253c0c1c2c3c4c5c6c7"),
              .src = Text("Ladies and Gentlemen of the class of '99: If I could offer you only one "
                          "tip for the future, sunscreen would be it.")},
             "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
             "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
             "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
             "3ff4def08e4b7a9de576d26586cec64b6116",
             "1ae10b594f09e26a7e902ecbd0600691");
}

// FIPS 81, tables B1 and C1; RFC 6229 for a key of 40 bits. Each twice: nothing of an operation is
// left for the next.
TEST(LegacyCiphers, DesAndArc4_PublishedAnswers) {
  auto engine = *OpenSslEngine::Create({.enable_legacy = true});
  if (!engine->caps().Offers(CipherAlgorithm::kArc4)) GTEST_SKIP() << "no legacy provider";
  UnusedWaker waker;
  const auto lane = *engine->OpenLane(waker);
  const auto run = [&](CipherAlgorithm algorithm, const Bytes& key, const ServiceInput& input) {
    CipherParams params{.algorithm = algorithm, .key = Key(key)};
    const SessionInfo info = InfoOf(SessionParams(CipherParams{.algorithm = algorithm, .key = {}}));
    const auto session = *lane->OpenSession(*engine->CreateSession(std::move(params)));
    const ServiceOutput first = RunService(*lane, *session, info, input);
    EXPECT_EQ(RunService(*lane, *session, info, input), first);
    return HexEncode(first.dst);
  };
  const Bytes key = Hex("0123456789abcdef");
  EXPECT_EQ(run(CipherAlgorithm::kDesEcb, key, {.src = Text("Now is t")}), "3fa40e8a984d4815");
  EXPECT_EQ(run(CipherAlgorithm::kDesCbc, key,
                {.iv = Hex("1234567890abcdef"), .src = Text("Now is the time for all ")}),
            "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6");
  EXPECT_EQ(run(CipherAlgorithm::kArc4, Hex("0102030405"), {.src = Bytes(16)}),
            "b2396305f03dc027ccc3524a0a1118a8");
}

TEST(LegacyCiphers, NotAskedFor_AreNotOffered) {
  LaneRunner runner;
  for (const auto algorithm :
       {CipherAlgorithm::kDesEcb, CipherAlgorithm::kDesCbc, CipherAlgorithm::kArc4}) {
    EXPECT_FALSE(runner.engine().caps().Offers(algorithm));
  }
}

}  // namespace
}  // namespace sealane::crypto
