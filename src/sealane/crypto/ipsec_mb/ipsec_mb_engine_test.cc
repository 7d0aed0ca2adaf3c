// SPDX-License-Identifier: Apache-2.0
//
// The same bytes as OpenSSL's engine, whatever is in a batch: mixed keys, algorithms, lengths,
// pieces, counters that wrap. Ops come back in their order.
#include "sealane/crypto/ipsec_mb/ipsec_mb_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_engine.h"

namespace sealane::crypto {
namespace {

using Bytes = std::vector<uint8_t>;

class UnusedWaker final : public Waker {
 public:
  void Wake() override { SL_CHECK(false); }
};

Bytes Noise(std::mt19937& random, size_t len) {
  Bytes bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// One session in both engines.
struct Twins {
  CipherParams Params() const {
    return {.algorithm = algorithm,
            .direction = direction,
            .key = SecretBytes(std::span<const uint8_t>(key))};
  }
  CipherAlgorithm algorithm;
  Direction direction;
  Bytes key;
  std::unique_ptr<LaneSession> ours;
  std::unique_ptr<LaneSession> theirs;
};

// One operation on two copies of the same memory.
struct Job {
  Bytes memory;
  std::vector<Segment> src;
  std::vector<Segment> dst;
  Op op;
};

class IpsecMb : public ::testing::Test {
 protected:
  IpsecMb() {
    auto engine = IpsecMbEngine::Create();
    if (!engine.has_value()) return;
    ours_ = std::move(*engine);
    theirs_ = std::move(*OpenSslEngine::Create());
    our_lane_ = std::move(*ours_->OpenLane(waker_));
    their_lane_ = std::move(*theirs_->OpenLane(waker_));
  }
  void SetUp() override {
    if (!ours_) GTEST_SKIP() << "no AES instructions";
  }
  Twins Open(CipherAlgorithm algorithm, Direction direction, size_t key_len) {
    Twins twins{.algorithm = algorithm,
                .direction = direction,
                .key = Noise(random_, key_len),
                .ours = nullptr,
                .theirs = nullptr};
    twins.ours = std::move(*our_lane_->OpenSession(*ours_->CreateSession(twins.Params())));
    twins.theirs = std::move(*their_lane_->OpenSession(*theirs_->CreateSession(twins.Params())));
    return twins;
  }
  std::vector<Twins> OpenAll() {
    std::vector<Twins> all;
    for (const auto algorithm : {CipherAlgorithm::kAesCbc, CipherAlgorithm::kAesCtr}) {
      for (const auto direction : {Direction::kEncrypt, Direction::kDecrypt}) {
        for (const size_t key_len : {16U, 24U, 32U}) {
          all.push_back(Open(algorithm, direction, key_len));
          all.push_back(Open(algorithm, direction, key_len));
        }
      }
    }
    return all;
  }
  size_t Pick(size_t below) { return random_() % below; }

  // Source and destination apart, the same, or overlapping; whole or in pieces.
  std::unique_ptr<Job> MakeJob(size_t len, size_t shape, const Bytes& memory,
                               const std::array<uint8_t, 16>& iv) {
    auto job = std::make_unique<Job>();
    job->memory = memory;
    const size_t dst_offset = shape % 3 == 0 ? len + 64 : shape % 3 == 1 ? 0 : 7;
    const size_t piece = shape < 3 ? len : std::max<size_t>(len / 3, 1);
    for (size_t at = 0; at < len; at += piece) {
      const size_t size = std::min(piece, len - at);
      job->src.push_back({job->memory.data() + at, size});
      job->dst.push_back({job->memory.data() + dst_offset + at, size});
    }
    job->op.src = job->src;
    job->op.dst = job->dst;
    job->op.len = job->op.out_len = len;
    job->op.iv = iv;
    job->op.iv_len = 16;
    return job;
  }
  static void RunAll(Lane& lane, std::vector<std::unique_ptr<Job>>& jobs) {
    std::vector<Op*> list;
    for (const auto& job : jobs) list.push_back(&job->op);
    ASSERT_EQ(lane.Submit(list), list.size());
    std::vector<Op*> done(list.size() + 1);
    ASSERT_EQ(lane.Poll(done), list.size());
    done.pop_back();
    EXPECT_EQ(done, list) << "in the order of Submit";
    EXPECT_EQ(lane.in_flight(), 0U);
  }

  UnusedWaker waker_;
  std::mt19937 random_{42};
  std::unique_ptr<IpsecMbEngine> ours_;
  std::unique_ptr<OpenSslEngine> theirs_;
  std::unique_ptr<Lane> our_lane_;
  std::unique_ptr<Lane> their_lane_;
};

TEST_F(IpsecMb, RandomBatches_AsOpenSsl) {
  const std::vector<Twins> sessions = OpenAll();
  for (int round = 0; round < 300; ++round) {
    std::vector<std::unique_ptr<Job>> ours;
    std::vector<std::unique_ptr<Job>> theirs;
    const size_t num = 1 + Pick(100);
    for (size_t i = 0; i < num; ++i) {
      const Twins& twins = sessions[Pick(sessions.size())];
      size_t len = Pick(8) == 0 ? Pick(5000) : Pick(300);
      if (twins.algorithm == CipherAlgorithm::kAesCbc) len = len / 16 * 16;
      std::array<uint8_t, 16> iv;
      std::ranges::generate(iv, [this] { return static_cast<uint8_t>(random_()); });
      if (Pick(3) == 0) std::fill(iv.begin() + 4 * static_cast<int>(Pick(4)), iv.end(), 0xff);
      const Bytes memory = Noise(random_, 2 * len + 128);
      const size_t shape = Pick(6);
      ours.push_back(MakeJob(len, shape, memory, iv));
      theirs.push_back(MakeJob(len, shape, memory, iv));
      ours.back()->op.session = twins.ours.get();
      theirs.back()->op.session = twins.theirs.get();
    }
    RunAll(*our_lane_, ours);
    RunAll(*their_lane_, theirs);
    for (size_t i = 0; i < num; ++i) {
      ASSERT_EQ(ours[i]->op.status, Status::kOk);
      ASSERT_TRUE(ours[i]->memory == theirs[i]->memory) << "round " << round << ", op " << i;
    }
  }
}

// The library counts a job's bytes in 16 bits: longer payloads go in parts.
TEST_F(IpsecMb, LongPayloads_AsOpenSsl) {
  for (const Twins& twins : OpenAll()) {
    for (const size_t len : {16384U, 16400U, 65520U, 65536U, 65552U, 200000U, 1U << 20}) {
      std::array<uint8_t, 16> iv{};
      std::fill(iv.begin() + 8, iv.end(), 0xff);
      for (const size_t shape : {0U, 1U}) {
        const Bytes memory = Noise(random_, 2 * len + 128);
        std::vector<std::unique_ptr<Job>> ours;
        std::vector<std::unique_ptr<Job>> theirs;
        ours.push_back(MakeJob(len, shape, memory, iv));
        theirs.push_back(MakeJob(len, shape, memory, iv));
        ours[0]->op.session = twins.ours.get();
        theirs[0]->op.session = twins.theirs.get();
        RunAll(*our_lane_, ours);
        RunAll(*their_lane_, theirs);
        ASSERT_TRUE(ours[0]->memory == theirs[0]->memory) << len;
      }
    }
  }
}

TEST_F(IpsecMb, WrongLengths_AreErrorsAndNothingIsWritten) {
  const Twins twins = Open(CipherAlgorithm::kAesCbc, Direction::kEncrypt, 16);
  std::vector<std::unique_ptr<Job>> jobs;
  for (const size_t len : {15U, 17U, 32U, 0U}) {
    jobs.push_back(MakeJob(len, 0, Bytes(256, 0xee), {}));
    jobs.back()->op.session = twins.ours.get();
  }
  jobs[2]->op.len = 48;  // not what the lists have
  RunAll(*our_lane_, jobs);
  for (const size_t i : {0U, 1U, 2U}) EXPECT_EQ(jobs[i]->op.status, Status::kError);
  EXPECT_EQ(jobs[3]->op.status, Status::kOk) << "nothing to do";
  for (const auto& job : jobs) EXPECT_EQ(job->memory, Bytes(256, 0xee));
}

TEST_F(IpsecMb, WhatItDoesNotHave_IsNotSupported) {
  EXPECT_STREQ(ours_->caps().name, "ipsec-mb");
  EXPECT_EQ(ours_->CreateSession(HashParams{.result_len = 32}).error(), Status::kNotSupported);
  EXPECT_EQ(ours_
                ->CreateSession(
                    CipherParams{.algorithm = CipherAlgorithm::kAesXts, .key = SecretBytes(32)})
                .error(),
            Status::kNotSupported);
  EXPECT_EQ(ours_->CreateSession(CipherParams{.key = SecretBytes(17)}).error(), Status::kError);
}

}  // namespace
}  // namespace sealane::crypto
