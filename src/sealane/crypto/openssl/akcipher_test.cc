// SPDX-License-Identifier: Apache-2.0
//
// RSA and ECDSA against the `openssl` command line, on keys that it makes: what one side signs or
// encrypts the other verifies or decrypts. Then keys and messages that are none.
#include <gtest/gtest.h>
#include <openssl/err.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/service_runner.h"

namespace sealane::crypto {
namespace {

namespace fs = std::filesystem;

// A folder with what the command line makes; gone with the test.
class Workshop {
 public:
  Workshop() {
    std::string pattern = fs::temp_directory_path() / "sealane-akcipher.XXXXXX";
    SL_CHECK(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
  }
  ~Workshop() { fs::remove_all(folder_); }

  // "openssl ..." in the folder; whether it succeeded.
  bool OpenSsl(const std::string& arguments) const {
    const std::string command =
        "cd " + folder_.string() + " && openssl " + arguments + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
  }
  Bytes Read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void Write(const std::string& name, const Bytes& bytes) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    // SAFETY: bytes seen as characters.
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }

 private:
  fs::path folder_;
};

class Akcipher : public ::testing::Test {
 protected:
  std::unique_ptr<OpenSslEngine> engine_ =
      std::move(*OpenSslEngine::Create({.enable_akcipher = true}));
  UnusedWaker waker_;
  std::unique_ptr<Lane> lane_ = std::move(*engine_->OpenLane(waker_));
  Workshop workshop_;

  AkcipherParams Rsa(bool is_private, const Bytes& der, RsaPadding padding,
                     bool has_hash = false) const {
    return {.algorithm = AkcipherAlgorithm::kRsa,
            .is_private = is_private,
            .key = SecretBytes(std::span<const uint8_t>(der)),
            .padding = padding,
            .has_hash = has_hash};
  }
  AkcipherParams Ecdsa(bool is_private, const Bytes& key, Curve curve) const {
    return {.algorithm = AkcipherAlgorithm::kEcdsa,
            .is_private = is_private,
            .key = SecretBytes(std::span<const uint8_t>(key)),
            .curve = curve};
  }
  bool IsKey(AkcipherParams params) {
    const auto session = engine_->CreateSession(std::move(params));
    EXPECT_EQ(ERR_peek_error(), 0UL);
    if (!session.has_value()) {
      EXPECT_EQ(session.error(), Status::kError);
    }
    return session.has_value();
  }

  struct Answer {
    Status status;
    Bytes out;
  };
  Answer Run(AkcipherParams params, AkcipherOp what, Bytes in, Bytes digest = {},
             size_t room = 1024) {
    auto session = engine_->CreateSession(std::move(params));
    SL_CHECK(session.has_value());
    const auto lane_session = *lane_->OpenSession(*std::move(session));
    Bytes out(room, 0xee);
    const std::array<Segment, 1> src = {Segment{in.data(), in.size()}};
    const std::array<Segment, 1> dst = {Segment{out.data(), out.size()}};
    const std::array<Segment, 1> aad = {Segment{digest.data(), digest.size()}};
    Op op = MakeOp(*lane_session, {});
    op.akcipher_op = what;
    op.src = src;
    op.len = in.size();
    op.aad = aad;
    op.aad_len = digest.size();
    if (what != AkcipherOp::kVerify) {
      op.dst = dst;
      op.out_len = out.size();
    }
    const std::array<Op*, 1> ops = {&op};
    SL_CHECK(lane_->Submit(ops) == 1);
    std::array<Op*, 1> done{};
    SL_CHECK(lane_->Poll(done) == 1);
    EXPECT_EQ(ERR_peek_error(), 0UL);
    if (op.status == Status::kOk) {
      out.resize(static_cast<size_t>(op.out_len));
    } else if (what != AkcipherOp::kVerify) {
      EXPECT_EQ(out, Bytes(room, 0xee)) << "something was written";
    }
    return {op.status, std::move(out)};
  }
};

class AkcipherRsa : public Akcipher {
 protected:
  void MakeKey(int bits) {
    ASSERT_TRUE(workshop_.OpenSsl("genrsa -traditional -out key.pem " + std::to_string(bits)));
    ASSERT_TRUE(workshop_.OpenSsl("rsa -traditional -in key.pem -outform DER -out private.der"));
    ASSERT_TRUE(
        workshop_.OpenSsl("rsa -in key.pem -RSAPublicKey_out -outform DER -out public.der"));
    ASSERT_TRUE(workshop_.OpenSsl("rsa -in key.pem -pubout -outform DER -out spki.der"));
    ASSERT_TRUE(workshop_.OpenSsl("rsa -in key.pem -pubout -out public.pem"));
    private_ = workshop_.Read("private.der");
    public_ = workshop_.Read("public.der");
    spki_ = workshop_.Read("spki.der");
  }
  Bytes private_;
  Bytes public_;
  Bytes spki_;
};

TEST_F(AkcipherRsa, Signatures_BothWaysWithTheCommandLine) {
  for (const int bits : {1024, 2048, 3072}) {
    MakeKey(bits);
    const Bytes digest = TestBytes(32, 1);
    workshop_.Write("digest", digest);
    const Answer ours =
        Run(Rsa(true, private_, RsaPadding::kPkcs1, true), AkcipherOp::kSign, digest);
    ASSERT_EQ(ours.status, Status::kOk);
    EXPECT_EQ(ours.out.size(), static_cast<size_t>(bits / 8));
    workshop_.Write("ours", ours.out);
    const std::string options = " -pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:sha256";
    EXPECT_TRUE(workshop_.OpenSsl(
        "pkeyutl -verify -pubin -inkey public.pem -in digest -sigfile ours" + options));
    ASSERT_TRUE(workshop_.OpenSsl("pkeyutl -sign -inkey key.pem -in digest -out theirs" + options));
    Bytes theirs = workshop_.Read("theirs");
    for (const Bytes& key : {public_, spki_}) {
      EXPECT_EQ(Run(Rsa(false, key, RsaPadding::kPkcs1, true), AkcipherOp::kVerify, theirs, digest)
                    .status,
                Status::kOk);
    }
    theirs[5] ^= 1;
    EXPECT_EQ(
        Run(Rsa(false, public_, RsaPadding::kPkcs1, true), AkcipherOp::kVerify, theirs, digest)
            .status,
        Status::kKeyRejected);
  }
}

TEST_F(AkcipherRsa, Pkcs1Encryption_BothWaysWithTheCommandLine) {
  MakeKey(2048);
  const Bytes secret = TestBytes(48, 2);
  workshop_.Write("secret", secret);
  const Answer ours = Run(Rsa(false, public_, RsaPadding::kPkcs1), AkcipherOp::kEncrypt, secret);
  ASSERT_EQ(ours.status, Status::kOk);
  workshop_.Write("ours", ours.out);
  ASSERT_TRUE(workshop_.OpenSsl("pkeyutl -decrypt -inkey key.pem -in ours -out back"));
  EXPECT_EQ(workshop_.Read("back"), secret);
  ASSERT_TRUE(
      workshop_.OpenSsl("pkeyutl -encrypt -pubin -inkey public.pem -in secret -out theirs"));
  const Answer opened = Run(Rsa(true, private_, RsaPadding::kPkcs1), AkcipherOp::kDecrypt,
                            workshop_.Read("theirs"), {}, 48);
  EXPECT_EQ(opened.status, Status::kOk);
  EXPECT_EQ(opened.out, secret) << "exactly as long as it was";
}

TEST_F(AkcipherRsa, PaddingFaults_AllTheSameStatus) {
  MakeKey(1024);
  const auto open = [&](const Bytes& padded) {
    const Answer sealed = Run(Rsa(false, public_, RsaPadding::kRaw), AkcipherOp::kEncrypt, padded);
    EXPECT_EQ(sealed.status, Status::kOk);
    return Run(Rsa(true, private_, RsaPadding::kPkcs1), AkcipherOp::kDecrypt, sealed.out).status;
  };
  Bytes good(128, 0x5a);
  good[0] = 0;
  good[1] = 2;
  good[100] = 0;
  EXPECT_EQ(open(good), Status::kOk);
  Bytes wrong = good;
  wrong[1] = 1;  // another block type
  EXPECT_EQ(open(wrong), Status::kError);
  wrong = good;
  wrong[100] = 0x5a;  // no separator
  EXPECT_EQ(open(wrong), Status::kError);
  wrong = good;
  wrong[5] = 0;  // too little padding
  EXPECT_EQ(open(wrong), Status::kError);
}

TEST_F(AkcipherRsa, Raw_LeadingZerosAndItsLimits) {
  MakeKey(1024);
  const Bytes small = {1, 2, 3};
  const Answer sealed = Run(Rsa(false, public_, RsaPadding::kRaw), AkcipherOp::kEncrypt, small);
  ASSERT_EQ(sealed.status, Status::kOk);
  EXPECT_EQ(sealed.out.size(), 128U);
  const Answer opened =
      Run(Rsa(true, private_, RsaPadding::kRaw), AkcipherOp::kDecrypt, sealed.out);
  ASSERT_EQ(opened.status, Status::kOk);
  EXPECT_EQ(Bytes(opened.out.end() - 3, opened.out.end()), small);
  EXPECT_EQ(Bytes(opened.out.begin(), opened.out.end() - 3), Bytes(125));
  const auto raw = [&](AkcipherOp op, size_t len, size_t room) {
    return Run(Rsa(true, private_, RsaPadding::kRaw), op, Bytes(len, 0xff), {}, room).status;
  };
  EXPECT_EQ(raw(AkcipherOp::kEncrypt, 128, 1024), Status::kError) << "not below the modulus";
  EXPECT_EQ(raw(AkcipherOp::kEncrypt, 129, 1024), Status::kError);
  EXPECT_EQ(raw(AkcipherOp::kEncrypt, 2000, 1024), Status::kError);
  EXPECT_EQ(raw(AkcipherOp::kEncrypt, 3, 127), Status::kError) << "no room for the result";
  EXPECT_EQ(raw(AkcipherOp::kEncrypt, 3, 128), Status::kOk);
  EXPECT_EQ(raw(AkcipherOp::kSign, 32, 1024), Status::kError);
  EXPECT_EQ(raw(AkcipherOp::kVerify, 128, 1024), Status::kError);
}

TEST_F(AkcipherRsa, PublicKey_DoesNothingPrivate) {
  MakeKey(1024);
  EXPECT_EQ(Run(Rsa(false, public_, RsaPadding::kRaw), AkcipherOp::kDecrypt, {1}).status,
            Status::kError);
  EXPECT_EQ(Run(Rsa(false, public_, RsaPadding::kPkcs1, true), AkcipherOp::kSign, Bytes(32)).status,
            Status::kError);
}

TEST_F(AkcipherRsa, DigestOfAnotherLength_IsNotSigned) {
  MakeKey(1024);
  for (const size_t len : {0U, 20U, 31U, 33U, 64U}) {
    EXPECT_EQ(
        Run(Rsa(true, private_, RsaPadding::kPkcs1, true), AkcipherOp::kSign, Bytes(len)).status,
        Status::kError)
        << len;
  }
}

// Each prefix, each byte changed in a way that may or may not still be a key: none crashes, and a
// prefix or a longer one is never a key.
TEST_F(AkcipherRsa, DerThatIsNone_IsRefused) {
  MakeKey(1024);
  for (const bool is_private : {true, false}) {
    const Bytes& der = is_private ? private_ : public_;
    EXPECT_TRUE(IsKey(Rsa(is_private, der, RsaPadding::kRaw)));
    for (size_t len = 1; len < der.size(); ++len) {
      const Bytes prefix(der.begin(), der.begin() + static_cast<ptrdiff_t>(len));
      EXPECT_FALSE(IsKey(Rsa(is_private, prefix, RsaPadding::kRaw))) << len;
    }
    Bytes longer = der;
    longer.push_back(0);
    EXPECT_FALSE(IsKey(Rsa(is_private, longer, RsaPadding::kRaw)));
    for (size_t i = 0; i < der.size(); ++i) {
      Bytes changed = der;
      changed[i] ^= 0xff;
      static_cast<void>(IsKey(Rsa(is_private, changed, RsaPadding::kRaw)));
    }
  }
  EXPECT_FALSE(IsKey(Rsa(true, public_, RsaPadding::kRaw)));
  EXPECT_FALSE(IsKey(Rsa(true, spki_, RsaPadding::kRaw)));
  EXPECT_FALSE(IsKey(Rsa(false, TestBytes(200, 3), RsaPadding::kRaw)));
  EXPECT_FALSE(IsKey(Ecdsa(true, private_, Curve::kP256)));
  EXPECT_FALSE(IsKey(Ecdsa(false, spki_, Curve::kP256)));
}

void AppendDer(Bytes& der, uint8_t type, const Bytes& content) {
  const auto len = static_cast<uint16_t>(content.size());
  for (const int byte : {int{type}, 0x82, len >> 8, len & 0xff}) {
    der.push_back(static_cast<uint8_t>(byte));
  }
  for (const uint8_t byte : content) der.push_back(byte);
}

// RSAPublicKey written by hand: SEQUENCE { INTEGER n, INTEGER e }.
Bytes PublicDer(const Bytes& n, const Bytes& e) {
  Bytes body;
  AppendDer(body, 0x02, n);
  body.push_back(0x02);
  body.push_back(static_cast<uint8_t>(e.size()));
  for (const uint8_t byte : e) body.push_back(byte);
  Bytes der;
  AppendDer(der, 0x30, body);
  return der;
}

TEST_F(AkcipherRsa, HostileNumbers_AreRefused) {
  Bytes n(257, 0x6b);
  n[0] = 0;
  n[1] = 0xc1;
  const Bytes e = {1, 0, 1};
  EXPECT_TRUE(IsKey(Rsa(false, PublicDer(n, e), RsaPadding::kRaw)));
  Bytes even = n;
  even.back() = 0x6a;
  EXPECT_FALSE(IsKey(Rsa(false, PublicDer(even, e), RsaPadding::kRaw)));
  for (const Bytes& exponent : {Bytes{1}, Bytes{2}, Bytes{0}, Bytes(9, 0x7f)}) {
    EXPECT_FALSE(IsKey(Rsa(false, PublicDer(n, exponent), RsaPadding::kRaw)));
  }
  Bytes huge(1026, 0x6b);
  huge[0] = 0;
  EXPECT_FALSE(IsKey(Rsa(false, PublicDer(huge, e), RsaPadding::kRaw))) << "8200 bits";
  Bytes longest(1025, 0xeb);
  longest[0] = 0;
  EXPECT_TRUE(IsKey(Rsa(false, PublicDer(longest, e), RsaPadding::kRaw))) << "8192 bits";
  EXPECT_FALSE(IsKey(Rsa(false, PublicDer(Bytes(63, 0x6b), e), RsaPadding::kRaw))) << "503 bits";
}

struct NamedCurve {
  Curve curve;
  const char* name;
  size_t field_len;
};
constexpr auto kCurves = std::to_array<NamedCurve>({{Curve::kP192, "prime192v1", 24},
                                                    {Curve::kP224, "secp224r1", 28},
                                                    {Curve::kP256, "prime256v1", 32},
                                                    {Curve::kP384, "secp384r1", 48},
                                                    {Curve::kP521, "secp521r1", 66}});

class AkcipherEcdsa : public Akcipher, public ::testing::WithParamInterface<NamedCurve> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(workshop_.OpenSsl(std::string("ecparam -genkey -noout -out key.pem -name ") +
                                  GetParam().name));
    ASSERT_TRUE(workshop_.OpenSsl("ec -in key.pem -outform DER -out private.der"));
    ASSERT_TRUE(workshop_.OpenSsl("ec -in key.pem -pubout -outform DER -out spki.der"));
    ASSERT_TRUE(workshop_.OpenSsl("ec -in key.pem -pubout -out public.pem"));
    private_ = workshop_.Read("private.der");
    spki_ = workshop_.Read("spki.der");
    point_.assign(spki_.end() - static_cast<ptrdiff_t>(2 * GetParam().field_len + 1), spki_.end());
  }
  Bytes private_;
  Bytes spki_;
  Bytes point_;  // uncompressed, at the end of an SPKI
};

TEST_P(AkcipherEcdsa, Signatures_BothWaysWithTheCommandLine) {
  const Curve curve = GetParam().curve;
  const Bytes digest = TestBytes(32, 4);
  workshop_.Write("digest", digest);
  const Answer ours = Run(Ecdsa(true, private_, curve), AkcipherOp::kSign, digest);
  ASSERT_EQ(ours.status, Status::kOk);
  workshop_.Write("ours", ours.out);
  EXPECT_TRUE(
      workshop_.OpenSsl("pkeyutl -verify -pubin -inkey public.pem -in digest -sigfile ours"));
  ASSERT_TRUE(workshop_.OpenSsl("pkeyutl -sign -inkey key.pem -in digest -out theirs"));
  Bytes theirs = workshop_.Read("theirs");
  const auto verify = [&](const Bytes& key, const Bytes& signature, const Bytes& of) {
    return Run(Ecdsa(false, key, curve), AkcipherOp::kVerify, signature, of).status;
  };
  EXPECT_EQ(verify(spki_, theirs, digest), Status::kOk);
  EXPECT_EQ(verify(point_, theirs, digest), Status::kOk);
  EXPECT_EQ(verify(point_, theirs, TestBytes(32, 5)), Status::kKeyRejected);
  theirs.back() ^= 1;
  EXPECT_EQ(verify(point_, theirs, digest), Status::kKeyRejected);
  EXPECT_EQ(verify(point_, {0x30}, digest), Status::kKeyRejected) << "no signature at all";
  EXPECT_EQ(Run(Ecdsa(true, private_, curve), AkcipherOp::kEncrypt, digest).status, Status::kError);
}

TEST_P(AkcipherEcdsa, KeysThatAreNone_AreRefused) {
  const Curve curve = GetParam().curve;
  const Curve other = curve == Curve::kP256 ? Curve::kP384 : Curve::kP256;
  EXPECT_TRUE(IsKey(Ecdsa(true, private_, curve)));
  EXPECT_FALSE(IsKey(Ecdsa(true, private_, other)));
  EXPECT_FALSE(IsKey(Ecdsa(false, spki_, other)));
  EXPECT_FALSE(IsKey(Ecdsa(false, point_, other)));
  EXPECT_FALSE(IsKey(Ecdsa(true, spki_, curve)));
  Bytes off_the_curve = point_;
  off_the_curve.back() ^= 1;
  EXPECT_FALSE(IsKey(Ecdsa(false, off_the_curve, curve)));
  for (size_t len = 1; len < private_.size(); ++len) {
    const Bytes prefix(private_.begin(), private_.begin() + static_cast<ptrdiff_t>(len));
    EXPECT_FALSE(IsKey(Ecdsa(true, prefix, curve))) << len;
  }
  Bytes longer = private_;
  longer.push_back(0);
  EXPECT_FALSE(IsKey(Ecdsa(true, longer, curve)));
}

INSTANTIATE_TEST_SUITE_P(Curves, AkcipherEcdsa, ::testing::ValuesIn(kCurves));

TEST(AkcipherOffer, NotAskedFor_IsNotSupported) {
  LaneRunner runner;
  EXPECT_TRUE(runner.engine().caps().akciphers.empty());
  const Bytes der(10, 0x30);
  const auto session = runner.engine().CreateSession(
      AkcipherParams{.key = SecretBytes(std::span<const uint8_t>(der))});
  EXPECT_EQ(session.error(), Status::kNotSupported);
}

}  // namespace
}  // namespace sealane::crypto
