// SPDX-License-Identifier: Apache-2.0
//
// What is quick does not wait for what is slow, nothing is lost, and each session's ops come back
// in their order. The RSA key is made here; that RSA is right is tested in crypto/openssl.
#include "sealane/crypto/auto_engine/auto_engine.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/crypto/sleeping_waker.h"

namespace sealane::crypto {
namespace {

using Bytes = std::vector<uint8_t>;

// RSA-2048, PKCS#1 DER.
const Bytes& PrivateKey() {
  static const Bytes der = [] {
    EVP_PKEY* const key = EVP_RSA_gen(2048);
    unsigned char* bytes = nullptr;
    const int len = i2d_PrivateKey(key, &bytes);
    SL_CHECK(len > 0);
    Bytes copy(bytes, bytes + len);
    OPENSSL_free(bytes);
    EVP_PKEY_free(key);
    return copy;
  }();
  return der;
}

struct TestOp : Op {
  Bytes in;
  Bytes out;
  Segment src_piece{};
  Segment dst_piece{};

  TestOp(LaneSession& of, size_t in_len, size_t room) : in(in_len, 0x11), out(room) {
    session = &of;
    src_piece = {in.data(), in.size()};
    dst_piece = {out.data(), out.size()};
    src = std::span(&src_piece, 1);
    dst = std::span(&dst_piece, 1);
    len = in_len;
    out_len = room;
  }
  TestOp(const TestOp&) = delete;
};

class AutoEngineTest : public ::testing::Test {
 protected:
  std::unique_ptr<LaneSession> OpenRsa() {
    return std::move(*lane_->OpenSession(*engine_->CreateSession(
        AkcipherParams{.is_private = true,
                       .key = SecretBytes(std::span<const uint8_t>(PrivateKey())),
                       .padding = RsaPadding::kPkcs1,
                       .has_hash = true})));
  }
  std::unique_ptr<LaneSession> OpenCipher() {
    return std::move(*lane_->OpenSession(*engine_->CreateSession(
        CipherParams{.algorithm = CipherAlgorithm::kAesEcb, .key = SecretBytes(16)})));
  }
  std::unique_ptr<TestOp> Sign(LaneSession& session) {
    auto op = std::make_unique<TestOp>(session, 32, 256);
    op->akcipher_op = AkcipherOp::kSign;
    return op;
  }
  size_t Submit(const std::vector<std::unique_ptr<TestOp>>& ops) {
    std::vector<Op*> list;
    for (const auto& op : ops) list.push_back(op.get());
    return lane_->Submit(list);
  }
  // Everything in flight, in the order in which it came back.
  std::vector<Op*> Collect() {
    std::vector<Op*> all;
    while (lane_->in_flight() != 0) {
      std::array<Op*, 16> done;
      const size_t num = lane_->Poll(done);
      all.insert(all.end(), done.begin(), done.begin() + static_cast<ptrdiff_t>(num));
      if (num == 0) SL_CHECK(waker_.Sleep());
    }
    return all;
  }

  std::unique_ptr<AutoEngine> engine_ = std::move(*AutoEngine::Create());
  SleepingWaker waker_;
  std::unique_ptr<Lane> lane_ = std::move(*engine_->OpenLane(waker_));
};

TEST_F(AutoEngineTest, Caps_AreThoseOfBoth) {
  EXPECT_STREQ(engine_->caps().name, "auto");
  EXPECT_TRUE(engine_->caps().Offers(CipherAlgorithm::kAesCbc));
  EXPECT_TRUE(engine_->caps().Offers(AeadAlgorithm::kAesGcm));
  EXPECT_TRUE(engine_->caps().Offers(AkcipherAlgorithm::kRsa));
  EXPECT_TRUE(engine_->caps().Offers(AkcipherAlgorithm::kEcdsa));
  EXPECT_FALSE(engine_->caps().Offers(CipherAlgorithm::kArc4));
}

// More signatures than the queue has room for, and one block of AES behind them all.
TEST_F(AutoEngineTest, QuickBehindManySlow_IsDoneFirst) {
  const auto rsa = OpenRsa();
  const auto aes = OpenCipher();
  std::vector<std::unique_ptr<TestOp>> ops;
  for (int i = 0; i < 400; ++i) ops.push_back(Sign(*rsa));
  ops.push_back(std::make_unique<TestOp>(*aes, 16, 16));
  EXPECT_EQ(Submit(ops), 401U) << "all are taken";
  EXPECT_EQ(lane_->in_flight(), 401U);
  std::array<Op*, 1> first{};
  ASSERT_EQ(lane_->Poll(first), 1U);
  EXPECT_EQ(first[0], ops.back().get());
  EXPECT_EQ(first[0]->status, Status::kOk);
  EXPECT_EQ(first[0]->session, aes.get()) << "the op is as it was";

  const std::vector<Op*> rest = Collect();
  ASSERT_EQ(rest.size(), 400U);
  for (size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(rest[i], ops[i].get()) << "out of order";
    EXPECT_EQ(rest[i]->status, Status::kOk);
    EXPECT_EQ(rest[i]->out_len, 256U);
    EXPECT_EQ(ops[i]->out, ops[0]->out) << "PKCS#1 signatures are the same each time";
  }
}

TEST_F(AutoEngineTest, QuickLaneFull_TakesUpToThereAndGoesOnAfterPoll) {
  const auto aes = OpenCipher();
  std::vector<std::unique_ptr<TestOp>> ops;
  for (int i = 0; i < 1500; ++i) ops.push_back(std::make_unique<TestOp>(*aes, 16, 16));
  const size_t taken = Submit(ops);
  EXPECT_LT(taken, 1500U);
  EXPECT_GT(taken, 0U);
  EXPECT_EQ(ops[taken]->session, aes.get());
  EXPECT_EQ(Collect().size(), taken);
}

TEST_F(AutoEngineTest, LaneGoneWithSlowOpsInFlight_EndsInTime) {
  const auto rsa = OpenRsa();
  std::vector<std::unique_ptr<TestOp>> ops;
  for (int i = 0; i < 300; ++i) ops.push_back(Sign(*rsa));
  EXPECT_EQ(Submit(ops), 300U);
  const auto start = std::chrono::steady_clock::now();
  lane_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace sealane::crypto
