// SPDX-License-Identifier: Apache-2.0
//
// SerialEngine over an engine that is particular about threads. tests/loopback runs it over
// OpenSSL.
#include "sealane/crypto/serial_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "sealane/crypto/sleeping_waker.h"

namespace sealane::crypto {
namespace {

using std::chrono::seconds;

// Everything of a lane must happen on the thread that opened it.
struct Watched {
  std::thread::id thread;  // the lane's
  std::atomic<int> num_lane_sessions{0};
  std::atomic<int> num_sessions{0};
  std::atomic<int> num_ops{0};
  std::atomic<bool> no_lanes{false};
  std::atomic<bool> no_lane_sessions{false};

  void Check() const { EXPECT_EQ(std::this_thread::get_id(), thread); }
};

class ParticularSession final : public Session {
 public:
  ParticularSession(const SessionParams& params, Watched& watched)
      : Session(InfoOf(params)), watched_(watched) {
    ++watched_.num_sessions;
  }
  ~ParticularSession() override { --watched_.num_sessions; }

 private:
  Watched& watched_;
};

struct ParticularLaneSession final : LaneSession {
  ParticularLaneSession(std::shared_ptr<const Session> of, Watched& by)
      : session(std::move(of)), watched(by) {
    watched.Check();
    ++watched.num_lane_sessions;
  }
  ~ParticularLaneSession() override {
    watched.Check();
    --watched.num_lane_sessions;
  }
  std::shared_ptr<const Session> session;
  Watched& watched;
};

// Takes one op at a time; its cipher inverts every byte.
class ParticularLane final : public Lane {
 public:
  explicit ParticularLane(Watched& watched) : watched_(watched) {
    watched_.thread = std::this_thread::get_id();
  }
  ~ParticularLane() override {
    watched_.Check();
    EXPECT_EQ(watched_.num_lane_sessions, 0);
  }
  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> of) override {
    if (watched_.no_lane_sessions) return Error{ErrorCode::kNoSpace, "none left"};
    return std::make_unique<ParticularLaneSession>(std::move(of), watched_);
  }
  size_t Submit(std::span<Op* const> ops) override {
    watched_.Check();
    EXPECT_EQ(op_, nullptr) << "one at a time";
    op_ = ops[0];
    for (size_t i = 0; i < op_->len; ++i) {
      op_->dst[0].data[i] = static_cast<uint8_t>(~op_->src[0].data[i]);
    }
    op_->status = op_->len % 16 == 0 ? Status::kOk : Status::kError;
    ++watched_.num_ops;
    return 1;
  }
  size_t Poll(std::span<Op*> done) override {
    watched_.Check();
    if (op_ == nullptr) return 0;
    done[0] = std::exchange(op_, nullptr);
    return 1;
  }
  void Flush() override {}
  size_t in_flight() const override { return op_ == nullptr ? 0 : 1; }

 private:
  Watched& watched_;
  Op* op_ = nullptr;
};

class ParticularEngine final : public Engine {
 public:
  explicit ParticularEngine(Watched& watched) : watched_(watched) {}
  const EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) override {
    if (InfoOf(params).key_len == 0) return std::unexpected(Status::kError);
    return std::make_shared<const ParticularSession>(params, watched_);
  }
  Result<std::unique_ptr<Lane>> OpenLane(Waker& /*waker*/) override {
    if (watched_.no_lanes) return Error{ErrorCode::kNoSpace, "no lane left"};
    return std::make_unique<ParticularLane>(watched_);
  }

 private:
  Watched& watched_;
  const EngineCaps caps_{.name = "particular", .ciphers = {CipherAlgorithm::kAesCtr}};
};

class SerialEngineTest : public ::testing::Test {
 protected:
  std::unique_ptr<LaneSession> Open() {
    return std::move(
        *lane->OpenSession(*engine->CreateSession(CipherParams{.key = SecretBytes(16)})));
  }
  Status Run(LaneSession& session, std::span<const Segment> src, std::span<const Segment> dst,
             uint64_t len) {
    Op op;
    op.session = &session;
    op.src = src;
    op.dst = dst;
    op.len = op.out_len = len;
    Op* done = &op;
    EXPECT_EQ(lane->Submit(std::span(&done, 1)), 1U);
    while (lane->Poll(std::span(&done, 1)) == 0) {
      if (!waker.Sleep()) return Status::kNotSupported;
    }
    return op.status;
  }

  Watched watched;
  SleepingWaker waker;
  std::unique_ptr<SerialEngine> engine =
      std::move(*SerialEngine::Create(std::make_unique<ParticularEngine>(watched), {}));
  std::unique_ptr<Lane> lane = std::move(*engine->OpenLane(waker));
};

TEST_F(SerialEngineTest, Caps_TheInnerOnesUnderItsOwnName) {
  EXPECT_STREQ(engine->caps().name, "serial");
  EXPECT_TRUE(engine->caps().Offers(CipherAlgorithm::kAesCtr));
  EXPECT_FALSE(engine->caps().Offers(CipherAlgorithm::kAesCbc));
  EXPECT_EQ(engine->CreateSession({}).error(), Status::kError);
}

TEST_F(SerialEngineTest, Pieces_GatheredAndScattered) {
  std::array<uint8_t, 48> in;
  std::iota(in.begin(), in.end(), uint8_t{0});
  std::array<uint8_t, 48> out{};
  const std::array<Segment, 4> src{{{in.data(), 1}, {nullptr, 0}, {&in[1], 30}, {&in[31], 17}}};
  const std::array<Segment, 2> dst{{{out.data(), 40}, {&out[40], 8}}};
  const auto session = Open();
  EXPECT_EQ(Run(*session, src, dst, 48), Status::kOk);
  for (size_t i = 0; i < 48; ++i) EXPECT_EQ(out[i], static_cast<uint8_t>(~in[i])) << i;
  const std::array<Segment, 1> overlapping{{{&in[16], 16}}};
  EXPECT_EQ(Run(*session, std::span(src).subspan(3), {}, 0), Status::kError) << "17 bytes, not 0";
  EXPECT_EQ(Run(*session, overlapping, overlapping, 16), Status::kOk);
  EXPECT_EQ(in[16], static_cast<uint8_t>(~16));
  EXPECT_EQ(Run(*session, {}, {}, 0), Status::kOk);
}

TEST_F(SerialEngineTest, LengthsThatDoNotAddUp_ErrorAndNothingWritten) {
  std::array<uint8_t, 32> bytes{};
  const std::array<Segment, 1> all{{{bytes.data(), 32}}};
  const std::array<Segment, 1> half{{{bytes.data(), 16}}};
  const auto session = Open();
  EXPECT_EQ(Run(*session, half, all, 32), Status::kError);
  EXPECT_EQ(Run(*session, all, half, 32), Status::kError);
  EXPECT_EQ(Run(*session, all, all, 16), Status::kError);
  EXPECT_EQ(Run(*session, all, all, kMaxPayload + 1), Status::kError);
  EXPECT_EQ(watched.num_ops, 0);
  const std::array<Segment, 1> odd{{{bytes.data(), 17}}};
  EXPECT_EQ(Run(*session, odd, odd, 17), Status::kError) << "the inner engine says so";
  EXPECT_EQ(watched.num_ops, 1);
  EXPECT_EQ(bytes, (std::array<uint8_t, 32>{}));
}

TEST_F(SerialEngineTest, SessionsComeAndGo_MadeAndDestroyedOnTheHardwaresThread) {
  std::array<uint8_t, 16> bytes{};
  const std::array<Segment, 1> all{{{bytes.data(), 16}}};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Run(*Open(), all, all, 16), Status::kOk);
  const auto end = QueueClock::now() + seconds(30);
  while (watched.num_sessions != 0 && QueueClock::now() < end) std::this_thread::yield();
  EXPECT_EQ(watched.num_lane_sessions, 0);
  EXPECT_EQ(watched.num_sessions, 0) << "the keys are gone";
  const auto unused = Open();
}

TEST_F(SerialEngineTest, NoLaneSession_ErrorUntilThereIsOne) {
  std::array<uint8_t, 16> bytes{};
  const std::array<Segment, 1> all{{{bytes.data(), 16}}};
  const auto session = Open();
  watched.no_lane_sessions = true;
  EXPECT_EQ(Run(*session, all, all, 16), Status::kError);
  watched.no_lane_sessions = false;
  EXPECT_EQ(Run(*session, all, all, 16), Status::kOk);
}

TEST(SerialEngineCreate, NoInnerLaneOrNoRoom_Fails) {
  Watched watched;
  watched.no_lanes = true;
  const auto made = SerialEngine::Create(std::make_unique<ParticularEngine>(watched), {});
  ASSERT_FALSE(made.has_value());
  EXPECT_STREQ(made.error().what, "no lane left");
  const auto roomless =
      SerialEngine::Create(std::make_unique<ParticularEngine>(watched), {.queue_depth = 0});
  EXPECT_FALSE(roomless.has_value());
}

TEST_F(SerialEngineTest, TwoLanesOnTwoThreads_EachItsOwnOps) {
  std::array<std::thread, 2> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([this] {
      SleepingWaker own_waker;
      const auto own = std::move(*engine->OpenLane(own_waker));
      const auto session = std::move(
          *own->OpenSession(*engine->CreateSession(CipherParams{.key = SecretBytes(16)})));
      std::array<uint8_t, 64> bytes{};
      const std::array<Segment, 1> all{{{bytes.data(), 64}}};
      for (int i = 0; i < 300; ++i) {
        Op op{.session = session.get(),
              .src = all,
              .dst = all,
              .len = 64,
              .iv_len = 16,
              .out_len = 64};
        Op* done = &op;
        ASSERT_EQ(own->Submit(std::span(&done, 1)), 1U);
        while (own->Poll(std::span(&done, 1)) == 0) ASSERT_TRUE(own_waker.Sleep());
        ASSERT_EQ(bytes[63], i % 2 == 0 ? 0xff : 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sealane::crypto
