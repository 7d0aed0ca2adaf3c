// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "sealane/driver/data_channel_test.h"

namespace sealane::driver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(Channel, DeviceStatus_ComesThrough) {
  Open({});
  for (uint8_t status = 0; status <= 6; ++status) {
    EXPECT_EQ(CallAnswered(status, 0), static_cast<Status>(status));
  }
  EXPECT_EQ(CallAnswered(7, 0), Status::kBadReply);
  EXPECT_EQ(CallAnswered(0xff, 0), Status::kBadReply);
  EXPECT_EQ(CallAnswered(1, -32), Status::kError) << "a status alone";
}

TEST_F(Channel, UsedLen_NotExact_BadReplyAndChannelGoesOn) {
  Open({});
  for (const int64_t len_error : {-33, -32, -1}) {
    EXPECT_EQ(CallAnswered(0, len_error), Status::kBadReply) << len_error;
  }
  EXPECT_EQ(CallAnswered(0, 0), Status::kOk);
  EXPECT_FALSE(channel->error().has_value());
}

TEST_F(Channel, UsedLen_BeyondWritable_Broken) {
  Open({});
  EXPECT_EQ(CallAnswered(0, 1), Status::kBroken);
  EXPECT_TRUE(channel->error().has_value());
  Open({});
  EXPECT_EQ(CallAnswered(0, 0xffffffff - 33), Status::kBroken);
}

TEST_F(Channel, Broken_EverythingInFlight_BackOnceWithError) {
  for (const int lie : {0, 1, 2}) {
    Open({.depth = 8});
    std::vector<std::unique_ptr<Job>> jobs;
    for (int i = 0; i < 8; ++i) {
      jobs.push_back(std::make_unique<Job>(16));
      ASSERT_TRUE(SubmitOne(*jobs.back()));
    }
    const auto chain = device->Next(0);
    FinishChain(*device, 0, *chain, std::vector<uint8_t>(16, 1), 0);
    if (lie == 0) device->Use(0, chain->head, 17);       // duplicate
    if (lie == 1) device->Use(0, 0xffff, 17);            // beyond the ring
    if (lie == 2) device->Use(0, chain->head + 20, 17);  // never submitted
    auto done = PollAll();
    ASSERT_EQ(done.size(), 8U) << lie;
    EXPECT_EQ(std::ranges::count(done, Status::kBroken, &Request::status), 7);
    std::ranges::sort(done);
    EXPECT_TRUE(std::ranges::unique(done).empty());
    EXPECT_EQ(channel->in_flight(), 0U);
    EXPECT_FALSE(SubmitOne(*jobs[0]));
    EXPECT_EQ(channel->Call(jobs[0]->request, seconds(20)), Status::kUnavailable);
  }
}

TEST_F(Channel, UsedIndexJump_Broken) {
  Open({});
  Job job(16);
  ASSERT_TRUE(SubmitOne(job));
  device->JumpUsedIdx(0, 2);
  ASSERT_EQ(PollAll().size(), 1U);
  EXPECT_EQ(job.request.status, Status::kBroken);
}

TEST_F(Channel, Call_NeverAnswered_TimesOutAndSlotStaysTaken) {
  Open({.depth = 1});
  auto job = std::make_unique<Job>(16);
  EXPECT_EQ(channel->Call(job->request, milliseconds(10)), Status::kTimeout);
  job.reset();  // the request is the caller's again
  Job other(16);
  EXPECT_FALSE(SubmitOne(other)) << "the device may still write to the slot";
  device->ServeData(0);
  EXPECT_TRUE(PollAll().empty());
  EXPECT_TRUE(SubmitOne(other));
  channel.reset();
}

TEST_F(Channel, Call_DeviceGone_BrokenBeforeTheDeadline) {
  Open({});
  device->SetScript([](FakeDevice& fake, uint16_t index) { fake.BreakQueue(index); });
  Job job(16);
  EXPECT_EQ(channel->Call(job.request, seconds(60)), Status::kBroken);
}

TEST_F(Channel, Wait_NothingComes_FalseAfterTheTime) {
  Open({});
  Job job(16);
  ASSERT_TRUE(SubmitOne(job));
  EXPECT_FALSE(channel->Wait(milliseconds(5)));
  channel.reset();
}

// faults.md, device 23 and 31; driver 19: callbacks that resubmit their request, then free it.
struct Callbacks {
  static inline DataChannel* channel = nullptr;
  static inline std::vector<std::unique_ptr<Job>> jobs;
  static inline int num_rounds = 0;  // that each request is to be submitted again
  static inline int num_calls = 0;

  static void OnDone(Request& done) {
    ++num_calls;
    std::unique_ptr<Job>& job = jobs[done.cookie % jobs.size()];
    ASSERT_EQ(&job->request, &done);
    ASSERT_TRUE(done.status == Status::kCanceled || job->Flipped());
    done.cookie += jobs.size();
    Request* const again = &done;
    if (done.cookie / jobs.size() <= static_cast<size_t>(num_rounds) &&
        channel->Submit({&again, 1}) == 1) {
      return;
    }
    job.reset();
  }

  static void Start(DataChannel& used, size_t num_jobs, int rounds) {
    channel = &used;
    num_rounds = rounds;
    num_calls = 0;
    jobs.resize(num_jobs);
    for (size_t i = 0; i < num_jobs; ++i) {
      jobs[i] = std::make_unique<Job>(32);
      jobs[i]->request.cookie = i;
      jobs[i]->request.on_done = &OnDone;
      Request* const request = &jobs[i]->request;
      ASSERT_EQ(used.Submit({&request, 1}), 1U);
    }
  }
  static bool AllFreed() {
    return std::ranges::all_of(jobs, [](const auto& job) { return job == nullptr; });
  }
};

TEST_F(Channel, Callback_ResubmitsThenFrees_EachOnce) {
  Open({.depth = 16});
  ServeAtOnce();
  Callbacks::Start(*channel, 16, 3);
  size_t total = 0;
  while (const size_t num = channel->Dispatch(5)) total += num;
  EXPECT_EQ(total, 16U * 4);
  EXPECT_EQ(Callbacks::num_calls, 16 * 4);
  EXPECT_TRUE(Callbacks::AllFreed());
}

// faults.md, device 30: destroyed with 64 in flight.
TEST_F(Channel, Destroyed_With64InFlight_EachCanceledOnce) {
  Open({.depth = 64});
  Callbacks::Start(*channel, 64, 3);
  channel.reset();
  EXPECT_EQ(Callbacks::num_calls, 64);
  EXPECT_TRUE(Callbacks::AllFreed());
  EXPECT_FALSE(device->running(0));
}

// Any lie at any time: no crash, no hang, and every request comes back exactly once.
TEST_F(Channel, RandomLies_EachRequestBackOnce) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::minstd_rand random(seed + 1);
    const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random()) % limit; };
    Open({.queue_size = 8, .max_payload = 64}, below(2) == 0 ? 0 : uint64_t{3} << 28);
    std::vector<std::unique_ptr<Job>> jobs;
    std::vector<Request*> back;
    std::optional<FakeChain> chain;
    for (int step = 0; step < 60; ++step) {
      if (below(3) == 0) {
        auto job = std::make_unique<Job>(below(64));
        if (SubmitOne(*job)) jobs.push_back(std::move(job));
      }
      if (below(3) == 0) {
        if (auto next = device->Next(0)) chain = std::move(next);
        if (chain) chain->WriteLast(static_cast<uint8_t>(below(9)));
        if (chain) device->Use(0, chain->head, below(4) == 0 ? below(70) : chain->WritableLen());
      }
      if (below(40) == 0) device->Use(0, below(12), below(70));
      if (below(80) == 0) device->JumpUsedIdx(0, static_cast<uint16_t>(random()));
      for (Request* request : PollAll()) back.push_back(request);
    }
    channel->Shutdown();
    for (Request* request : PollAll()) back.push_back(request);
    ASSERT_EQ(back.size(), jobs.size()) << seed;
    std::ranges::sort(back);
    ASSERT_TRUE(std::ranges::unique(back).empty()) << seed;
    for (const auto& job : jobs) ASSERT_NE(job->request.status, Status::kPending);
  }
}

TEST_F(Channel, Shutdown_FinishedMeanwhile_ResultKeptRestCanceled) {
  Open({});
  Job first(16), second(16);
  ASSERT_TRUE(SubmitOne(first));
  ASSERT_TRUE(SubmitOne(second));
  device->SetOnStop([](FakeDevice& fake, uint16_t index) {
    const auto chain = fake.Next(index);
    FinishChain(fake, index, *chain, std::vector<uint8_t>(16, 0x5a), 0);
  });
  channel->Shutdown();
  EXPECT_EQ(PollAll().size(), 2U);
  EXPECT_EQ(first.request.status, Status::kOk);
  EXPECT_EQ(first.dst[15], 0x5a);
  EXPECT_EQ(second.request.status, Status::kCanceled);
  EXPECT_FALSE(SubmitOne(first));
}

TEST_F(Channel, Create_BadOptions_Refused) {
  FakeDevice fake{{}};
  for (const Options& options :
       {Options{.queue_size = 3}, Options{.queue_size = 65536}, Options{.queue_size = 0},
        Options{.depth = 0}, Options{.max_segments = 0}, Options{.max_segments = 1025}}) {
    EXPECT_FALSE(DataChannel::Create(fake, 0, options).has_value());
  }
  EXPECT_FALSE(fake.running(0));
}

}  // namespace
}  // namespace sealane::driver
