// SPDX-License-Identifier: Apache-2.0
#include "bench_submitter.h"

#include <gtest/gtest.h>

#include <thread>

namespace sealane::cli {
namespace {

constexpr size_t kChunk = 64;
constexpr size_t kNumJobs = 3;

// One submitter before a serial engine, until some jobs are done.
class BenchSubmitterTest : public ::testing::TestWithParam<Completion> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(encryption.Crypt(in, expected));
    for (uint32_t i = 0; i < kNumJobs; ++i) {
      jobs[i].in = in;
      jobs[i].out = std::span(out).subspan(i * kChunk, kChunk);
      jobs[i].index = i;
    }
  }

  // Whether all went well.
  bool Run() {
    CipherTarget target(cipher, 2);
    crypto::EngineQueue queue(target,
                              {.queue_depth = kNumJobs, .backlog_depth = 0, .in_flight = 2});
    CompletionThread worker;
    BenchSubmitter submitter(queue, jobs, expected, GetParam(), &worker, 0);
    EXPECT_TRUE(submitter.Register());
    target.Launch(queue);
    if (GetParam() == Completion::kWorker) worker.Launch({&submitter});
    std::atomic<bool> stop{false};
    std::thread thread([&] { submitter.Run(stop); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
    thread.join();
    worker.Stop();
    target.Stop();
    num_done = submitter.num_done();
    EXPECT_EQ(queue.stats().finished, queue.stats().queued);
    return !submitter.failed();
  }

  BenchCipher cipher = BenchCipher::Create(kBenchAlgorithms[0], Direction::kEncrypt).value();
  BenchCipher encryption = BenchCipher::Create(kBenchAlgorithms[0], Direction::kEncrypt).value();
  std::vector<uint8_t> in = std::vector<uint8_t>(kChunk, 7);
  std::vector<uint8_t> out = std::vector<uint8_t>(kNumJobs * kChunk);
  std::vector<uint8_t> expected = std::vector<uint8_t>(kChunk);
  std::vector<CipherJob> jobs = std::vector<CipherJob>(kNumJobs);
  uint64_t num_done = 0;
};

TEST_P(BenchSubmitterTest, RightResults_AreCounted) {
  EXPECT_TRUE(Run());
  EXPECT_GT(num_done, 0U);
}

TEST_P(BenchSubmitterTest, WrongAtTheEnd_IsFound) {
  expected.back() ^= 1U;
  EXPECT_FALSE(Run());
}

// Not what is looked at for each job, but in the end.
TEST_P(BenchSubmitterTest, WrongAtTheBeginning_IsFound) {
  expected.front() ^= 1U;
  EXPECT_FALSE(Run());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, BenchSubmitterTest,
                         ::testing::Values(Completion::kInline, Completion::kWorker,
                                           Completion::kSubmitter));

}  // namespace
}  // namespace sealane::cli
