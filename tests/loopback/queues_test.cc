// SPDX-License-Identifier: Apache-2.0
//
// The data queue end to end: batches, every ring size, notifications, chains, pieces, chained IVs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>

#include "loopback_fixture.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::loopback_test {
namespace {

using driver::DataChannel;
using driver::Operation;
using driver::Request;
using driver::Status;
using std::chrono::seconds;

constexpr auto kTimeout = seconds(60);

// Sends the jobs round and round, `total` requests in batches, sleeping when there is nothing to
// do; checks each result. Returns how many came back.
size_t Pump(DataChannel& channel, std::vector<std::unique_ptr<Job>>& jobs, size_t total,
            size_t batch) {
  std::deque<Request*> idle;
  for (const auto& job : jobs) {
    job->request.cookie = idle.size();
    idle.push_back(&job->request);
  }
  size_t sent = 0;
  size_t received = 0;
  std::vector<Request*> list;
  std::vector<Request*> done(batch);
  while (received < total) {
    const size_t num = std::min({batch, idle.size(), total - sent});
    list.assign(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(num));
    for (Request* request : list) std::ranges::fill(request->dst, uint8_t{0});
    const size_t taken = channel.Submit(list);
    idle.erase(idle.begin(), idle.begin() + static_cast<std::ptrdiff_t>(taken));
    sent += taken;
    const size_t back = channel.Poll(done);
    for (Request* request : std::span(done).first(back)) {
      if (!jobs[request->cookie]->Right()) return received;
      idle.push_back(request);
    }
    received += back;
    if (back == 0 && taken == 0 && !channel.Wait(kTimeout)) return received;
  }
  return received;
}

class Queue : public testing::Test {
 protected:
  void Open(const loopback::LoopbackOptions& device, const driver::Options& options) {
    driver = OpenLoopback(device, options);
    session = MustCreate(*driver, cbc, Operation::kEncrypt, key);
  }
  std::vector<std::unique_ptr<Job>> MakeJobs(size_t num, size_t len = 32) {
    std::vector<std::unique_ptr<Job>> jobs(num);
    for (size_t i = 0; i < num; ++i) {
      jobs[i] = std::make_unique<Job>(cbc, key, session, Operation::kEncrypt, len,
                                      static_cast<uint32_t>(i));
    }
    return jobs;
  }

  const Algorithm& cbc = Algorithms()[kAes128Cbc];
  const Bytes key = Noise(16, 5);
  std::unique_ptr<driver::CryptoDriver> driver;
  driver::SessionId session{};
};

TEST_F(Queue, EverySize_ManyRequests_AllRight) {
  for (uint32_t size = 1; size <= wire::kMaxQueueSize; size *= 2) {
    Open({}, {.queue_size = size, .depth = size, .max_payload = 64});
    auto jobs = MakeJobs(std::min(size + 3, 300U));
    EXPECT_EQ(Pump(driver->channel(0), jobs, 1000, 16), 1000U) << size;
  }
}

// The 16-bit indices wrap; faults.md, device 18 and 26.
TEST_F(Queue, SmallRings_PastTheIndexWrap_AllRight) {
  for (const bool event_idx : {true, false}) {
    Open({.event_idx = event_idx}, {.queue_size = 16, .max_payload = 64});
    auto jobs = MakeJobs(24, 16);
    EXPECT_EQ(Pump(driver->channel(0), jobs, 70000, 8), 70000U);
  }
}

TEST_F(Queue, WithAndWithoutEventIdxAndIndirect_AllRight) {
  for (const bool event_idx : {true, false}) {
    for (const bool indirect : {true, false}) {
      Open({.event_idx = event_idx, .indirect = indirect}, {.queue_size = 64});
      auto jobs = MakeJobs(40, 256);
      for (const size_t batch : {1U, 5U, 40U}) {
        EXPECT_EQ(Pump(driver->channel(0), jobs, 2000, batch), 2000U);
      }
    }
  }
}

TEST_F(Queue, DeviceThatNeverPolls_SleepsAndInterrupts_NothingLost) {
  for (const bool event_idx : {true, false}) {
    Open({.poll = std::chrono::microseconds(0), .event_idx = event_idx},
         {.queue_size = 64, .spin = std::chrono::microseconds(0)});
    auto jobs = MakeJobs(4);
    EXPECT_EQ(Pump(driver->channel(0), jobs, 3000, 2), 3000U);
    for (int i = 0; i < 300; ++i) {
      ASSERT_EQ(driver->channel(0).Call(jobs[0]->request, kTimeout), Status::kOk);
    }
  }
}

TEST_F(Queue, DepthFull_TakesTheFirst_ThenTheRest) {
  Open({}, {.queue_size = 8});
  auto jobs = MakeJobs(12);
  std::vector<Request*> list;
  for (const auto& job : jobs) list.push_back(&job->request);
  const size_t taken = driver->channel(0).Submit(list);
  EXPECT_EQ(taken, 8U);
  EXPECT_EQ(driver->channel(0).Submit(std::span(list).subspan(8)), 0U)
      << "slots come free by Poll only";
  std::vector<Request*> done(12);
  size_t received = 0;
  while (received < 8) {
    ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
    received += driver->channel(0).Poll(std::span(done).subspan(received));
  }
  EXPECT_EQ(driver->channel(0).Submit(std::span(list).subspan(8)), 4U);
  while (received < 12) {
    ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
    received += driver->channel(0).Poll(std::span(done).subspan(received));
  }
  std::ranges::sort(list);
  std::ranges::sort(done);
  EXPECT_EQ(done, list);
  for (const auto& job : jobs) EXPECT_TRUE(job->Right());
}

TEST_F(Queue, ZeroCopyBuffers_InPlaceAndNot_AllRight) {
  Open({}, {.max_payload = 0});
  for (const size_t len : {16U, 4096U, 1U << 20}) {
    const Job job(cbc, key, session, Operation::kEncrypt, len, 3);
    const driver::DmaBuffer src = driver->AllocateBuffer(len).value();
    const driver::DmaBuffer dst = driver->AllocateBuffer(len).value();
    std::ranges::copy(job.src, src.bytes().begin());
    Request request{.session = session, .iv = job.iv, .src = src.bytes(), .dst = dst.bytes()};
    EXPECT_EQ(driver->channel(0).Call(request, kTimeout), Status::kOk);
    EXPECT_TRUE(std::ranges::equal(dst.bytes(), job.expected)) << len;
    request.dst = src.bytes();
    EXPECT_EQ(driver->channel(0).Call(request, kTimeout), Status::kOk);
    EXPECT_TRUE(std::ranges::equal(src.bytes(), job.expected)) << len;
  }
}

// faults.md, device 22.
TEST_F(Queue, Pieces_OneTo64OnEachSide_AllRight) {
  for (const bool indirect : {true, false}) {
    Open({.indirect = indirect}, {.max_payload = 0, .max_segments = 64});
    const driver::DmaBuffer src = driver->AllocateBuffer(4096).value();
    const driver::DmaBuffer dst = driver->AllocateBuffer(4096).value();
    for (size_t num = 1; num <= 64; ++num) {
      // Triangles of lengths 1, 2, … that add up to a multiple of the block.
      const size_t total = (num * (num + 1) / 2 + 15) / 16 * 16;
      const Job job(cbc, key, session, Operation::kEncrypt, total, static_cast<uint32_t>(num));
      std::ranges::copy(job.src, src.bytes().begin());
      std::ranges::fill(dst.bytes(), uint8_t{0});
      std::vector<std::span<const uint8_t>> from;
      std::vector<std::span<uint8_t>> to;
      size_t at = 0;
      for (size_t i = 1; i < num; ++i) {
        from.push_back(src.bytes().subspan(at, i));
        at += i;
      }
      from.push_back(src.bytes().subspan(at, total - at));
      at = 0;
      for (size_t i = num; i > 1; --i) {
        to.push_back(dst.bytes().subspan(at, i));
        at += i;
      }
      to.push_back(dst.bytes().subspan(at, total - at));
      Request request{.session = session, .iv = job.iv, .src_pieces = from, .dst_pieces = to};
      ASSERT_EQ(driver->channel(0).Call(request, kTimeout), Status::kOk) << num;
      ASSERT_TRUE(std::ranges::equal(dst.bytes().first(total), job.expected)) << num;
      ASSERT_EQ(dst.bytes()[total], 0) << num;
    }
  }
}

// faults.md, device 24; driver 11: a message in parts, each with the IV that the last one gave.
TEST_F(Queue, NextIv_MessageInParts_AsInOneGo) {
  Open({}, {});
  for (const Operation operation : {Operation::kEncrypt, Operation::kDecrypt}) {
    const auto own = MustCreate(*driver, cbc, operation, key);
    const Job whole(cbc, key, own, operation, 4096, 9);
    for (const size_t part : {1024U, 16U}) {
      for (const bool in_place : {false, true}) {
        Bytes text = whole.src;
        Bytes out(text.size());
        Request request{.session = own, .operation = operation, .want_next_iv = true};
        std::ranges::copy(whole.iv, request.next_iv.begin());
        request.iv = request.next_iv;
        for (size_t at = 0; at < text.size(); at += part) {
          request.src = std::span(text).subspan(at, part);
          request.dst = std::span(in_place ? text : out).subspan(at, part);
          ASSERT_EQ(driver->channel(0).Call(request, kTimeout), Status::kOk);
        }
        EXPECT_EQ(in_place ? text : out, whole.expected);
      }
    }
  }
}

// faults.md, device 26; driver 12: refused submissions must not disturb what is retried.
TEST_F(Queue, TinyRing_1000InPlaceDecrypts_AllRight) {
  for (const uint32_t size : {2U, 4U}) {
    Open({}, {.queue_size = size, .max_payload = 64});
    const auto own = MustCreate(*driver, cbc, Operation::kDecrypt, key);
    std::vector<std::unique_ptr<Job>> jobs(1000);
    std::deque<Request*> waiting;
    for (size_t i = 0; i < jobs.size(); ++i) {
      jobs[i] =
          std::make_unique<Job>(cbc, key, own, Operation::kDecrypt, 48, static_cast<uint32_t>(i));
      jobs[i]->request.dst = jobs[i]->src;
      jobs[i]->request.want_next_iv = true;
      waiting.push_back(&jobs[i]->request);
    }
    size_t received = 0;
    std::vector<Request*> done(8);
    while (received < jobs.size()) {
      while (!waiting.empty() && driver->channel(0).Submit({&waiting.front(), 1}) == 1) {
        waiting.pop_front();
      }
      ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
      received += driver->channel(0).Poll(done);
    }
    for (const auto& job : jobs) {
      ASSERT_EQ(job->request.status, Status::kOk);
      ASSERT_EQ(job->src, job->expected);
    }
  }
}

TEST_F(Queue, BadRequestsAmongGood_EachItsOwnStatus) {
  Open({}, {});
  auto jobs = MakeJobs(30, 48);
  std::vector<Request*> list;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (i % 3 == 1) jobs[i]->request.session = driver::SessionId{0xdead};
    if (i % 3 == 2) {
      jobs[i]->request.src = std::span(jobs[i]->src).first(47);
      jobs[i]->request.dst = std::span(jobs[i]->dst).first(47);
    }
    list.push_back(&jobs[i]->request);
  }
  ASSERT_EQ(driver->channel(0).Submit(list), list.size());
  std::vector<Request*> done(list.size());
  for (size_t received = 0; received < list.size();) {
    ASSERT_TRUE(driver->channel(0).Wait(kTimeout));
    received += driver->channel(0).Poll(done);
  }
  for (size_t i = 0; i < jobs.size(); ++i) {
    constexpr std::array kExpected{Status::kOk, Status::kInvalidSession, Status::kError};
    EXPECT_EQ(jobs[i]->request.status, kExpected[i % 3]);
    EXPECT_EQ(jobs[i]->Right(), i % 3 == 0);
  }
}

}  // namespace
}  // namespace sealane::loopback_test
