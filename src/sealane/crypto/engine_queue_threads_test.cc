// SPDX-License-Identifier: Apache-2.0
//
// EngineQueue among threads: submitters with each way to run completions, a target with threads of
// its own that lies now and then, deadlines that race with it all. What is judged is conservation:
// each accepted job done once, each backlogged one started once before, each refused one nothing,
// orders kept. Also run under ThreadSanitizer.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/queue_watchdog.h"

namespace sealane::crypto {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Finishes each job on one of its threads: at once, inside Start, twice, or late; is busy or fails
// now and then. It pins before it looks at a job.
class ThreadedTarget final : public EngineTarget {
 public:
  ~ThreadedTarget() override { Stop(); }

  void Launch(EngineQueue& queue, int num_threads) {
    queue_ = &queue;
    for (int i = 0; i < num_threads; ++i) threads_.emplace_back([this, i] { Run(i); });
  }
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  StartResult Start(EngineJob& /*job*/, Ticket ticket) override {
    std::unique_lock lock(mutex_);
    const auto dice = random_() % 32;
    if (dice == 0 && num_held_ > 0) return {.kind = StartResult::Kind::kBusy};
    if (dice == 1) return {.kind = StartResult::Kind::kFailed, .status = Status::kError};
    ++num_held_;
    if (dice == 2) {
      --num_held_;
      lock.unlock();
      queue_->Finish(ticket, Status::kOk);
      return {};
    }
    tickets_.push_back(ticket);
    lock.unlock();
    changed_.notify_one();
    return {};
  }

 private:
  std::optional<Ticket> Next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || !tickets_.empty(); });
    if (tickets_.empty()) return std::nullopt;
    const Ticket ticket = tickets_.back();
    tickets_.pop_back();
    --num_held_;
    return ticket;
  }

  void Run(int seed) {
    std::minstd_rand random(static_cast<unsigned>(seed + 1));
    while (const auto ticket = Next()) {
      const auto dice = random() % 64;
      if (dice == 0) std::this_thread::sleep_for(microseconds(500));
      if (EngineJob* const job = queue_->Pin(*ticket)) {
        num_pinned_ += job->cost;  // it may be read
        if (dice % 2 == 0) queue_->Unpin(*ticket);
      }
      queue_->Finish(*ticket, Status::kOk);
      if (dice < 4) queue_->Finish(*ticket, Status::kError);
    }
  }

  EngineQueue* queue_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Ticket> tickets_;
  std::minstd_rand random_{7};
  int num_held_ = 0;
  bool stop_ = false;
  std::atomic<uint64_t> num_pinned_{0};
  std::vector<std::thread> threads_;
};

enum class Completion : uint8_t { kInline, kWorker, kSubmitter };

// A submitter on a thread of its own, with `kNumJobs` jobs on their way at most.
class Submitter final : public QueueObserver {
 public:
  static constexpr size_t kNumJobs = 12;

  Submitter(EngineQueue& queue, Completion completion, unsigned seed)
      : queue_(queue),
        completion_(completion),
        client_(*this, {.queue = 3, .backlog = 3, .wake_batch = 1 + seed % 3}),
        random_(seed) {
    EXPECT_TRUE(queue_.AddClient(client_).has_value());
    if (completion_ == Completion::kWorker) worker_ = std::thread([this] { Work(); });
  }
  ~Submitter() override {
    queue_.Cancel(client_, QueueClock::now());
    AwaitAll();
    Signal(true);
    if (worker_.joinable()) worker_.join();
    queue_.RemoveClient(client_);
  }

  // Submits `count` jobs. The queue may be stopped or reset meanwhile.
  void Run(int count) {
    for (int i = 0; i < count;) {
      Job* const job = FindIdle();
      if (job == nullptr || !SubmitOne(*job)) {
        AwaitEvent();
      } else {
        ++i;
      }
    }
  }
  void AwaitAll() {
    while (num_accepted_.load() != num_done_.load()) AwaitEvent();
  }

  void OnStarted(EngineJob& base) override {
    auto& job = static_cast<Job&>(base);
    EXPECT_EQ(job.num_started.fetch_add(1), 0U) << "started twice";
  }
  void OnDone(EngineJob& base, const Outcome& /*outcome*/) override {
    auto& job = static_cast<Job&>(base);
    if (job.order != nullptr) {
      EXPECT_EQ(job.number, ++last_done_[job.order == &orders_[0] ? 0 : 1]) << "out of order";
    }
    num_started_ += job.num_started.exchange(0);
    ++num_done_;
    EXPECT_TRUE(job.is_away.exchange(false)) << "done twice";
  }
  void OnReady() override {
    if (completion_ == Completion::kInline) {
      while (queue_.Deliver(client_, 4) == 4) {
      }
    }
    Signal(false);
  }

  uint64_t num_accepted() const { return num_accepted_; }
  uint64_t num_backlogged() const { return num_backlogged_; }
  uint64_t num_done() const { return num_done_; }
  uint64_t num_started() const { return num_started_; }

 private:
  struct Job : EngineJob {
    std::atomic<bool> is_away{false};
    std::atomic<uint64_t> num_started{0};
    uint64_t number = 0;  // in its order
  };

  Job* FindIdle() {
    for (Job& job : jobs_) {
      if (!job.is_away) return &job;
    }
    return nullptr;
  }

  bool SubmitOne(Job& job) {
    const size_t order = random_() % 3;
    job.order = order < 2 ? &orders_[order] : nullptr;
    job.cost = random_() % 100'000;
    const bool is_hasty = random_() % 8 == 0;
    job.deadline = QueueClock::now() + (is_hasty ? microseconds(random_() % 300) : seconds(60));
    if (order < 2) job.number = last_submitted_[order] + 1;
    job.is_away = true;
    ++num_accepted_;
    const SubmitResult result = queue_.Submit(client_, job);
    if (result == SubmitResult::kQueued || result == SubmitResult::kBacklogged) {
      if (order < 2) ++last_submitted_[order];
      if (result == SubmitResult::kBacklogged) ++num_backlogged_;
      return true;
    }
    --num_accepted_;
    job.is_away = false;
    EXPECT_NE(result, SubmitResult::kInvalid);
    return false;
  }

  // Runs the completions if that is this thread's business; sleeps if there are none.
  void AwaitEvent() {
    if (completion_ == Completion::kSubmitter && queue_.Deliver(client_, 4) != 0) return;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, milliseconds(1), [this] { return num_signals_ != 0; });
    num_signals_ = 0;
  }
  void Signal(bool stop) {
    {
      const std::lock_guard lock(mutex_);
      ++num_signals_;
      ++num_worker_signals_;
      stop_ |= stop;
    }
    changed_.notify_all();
  }
  void Work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stop_ || num_worker_signals_ != 0; });
      if (stop_) return;
      num_worker_signals_ = 0;
      lock.unlock();
      while (queue_.Deliver(client_, 4) == 4) {
      }
      lock.lock();
    }
  }

  EngineQueue& queue_;
  const Completion completion_;
  QueueClient client_;
  std::minstd_rand random_;
  std::array<JobOrder, 2> orders_;
  std::array<Job, kNumJobs> jobs_;
  std::array<uint64_t, 2> last_submitted_{};
  std::array<uint64_t, 2> last_done_{};
  std::atomic<uint64_t> num_accepted_{0};
  std::atomic<uint64_t> num_backlogged_{0};
  std::atomic<uint64_t> num_done_{0};
  std::atomic<uint64_t> num_started_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int num_signals_ = 0;
  int num_worker_signals_ = 0;
  bool stop_ = false;
  std::thread worker_;
};

struct Setup {
  LockKind lock;
  size_t in_flight;
};

void RunSubmitters(const Setup& setup, int count, bool is_disturbed) {
  ThreadedTarget target;
  EngineQueue queue(target, {.in_flight = setup.in_flight, .lock = setup.lock});
  target.Launch(queue, 2);
  {
    QueueWatchdog watchdog(queue, microseconds(200));
    std::vector<std::unique_ptr<Submitter>> submitters;
    for (unsigned i = 0; i < 6; ++i) {
      submitters.push_back(std::make_unique<Submitter>(queue, Completion{uint8_t(i % 3)}, i + 1));
    }
    std::vector<std::thread> threads;
    for (const auto& submitter : submitters) {
      threads.emplace_back([&submitter, &watchdog, count] {
        for (int i = 0; i < 10; ++i) {
          watchdog.Poke();
          submitter->Run(count / 10);
        }
        submitter->AwaitAll();
      });
    }
    // A reset that the target did not acknowledge in time leaves the queue shut: once more.
    for (int i = 0; is_disturbed && i < 20; ++i) {
      std::this_thread::sleep_for(milliseconds(1));
      if (i % 5 == 0) queue.Stop(StopMode::kDrain, QueueClock::now() + microseconds(300));
      while (!queue.Reset(QueueClock::now() + milliseconds(i % 3))) {
      }
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& submitter : submitters) {
      EXPECT_EQ(submitter->num_accepted(), static_cast<uint64_t>(count));
      EXPECT_EQ(submitter->num_done(), submitter->num_accepted());
      EXPECT_EQ(submitter->num_started(), submitter->num_backlogged());
    }
  }
  target.Stop();
}

constexpr int kCount = 3000;

TEST(EngineQueueThreads, MutexOneInFlight_NothingLostNothingDoubled) {
  RunSubmitters({.lock = LockKind::kMutex, .in_flight = 1}, kCount, false);
}

TEST(EngineQueueThreads, SpinFourInFlight_NothingLostNothingDoubled) {
  RunSubmitters({.lock = LockKind::kSpin, .in_flight = 4}, kCount, false);
}

TEST(EngineQueueThreads, StoppedAndResetMeanwhile_NothingLostNothingDoubled) {
  RunSubmitters({.lock = LockKind::kMutex, .in_flight = 3}, kCount, true);
}

TEST(EngineQueueThreads, ClientsComeAndGo_EachLeavesWithAllItsJobs) {
  ThreadedTarget target;
  EngineQueue queue(target, {.queue_depth = 1000, .backlog_depth = 1000, .in_flight = 3});
  target.Launch(queue, 2);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&queue, t] {
      for (unsigned i = 0; i < 100; ++i) {
        Submitter submitter(queue, Completion{uint8_t(i % 3)}, 100 * t + i);
        submitter.Run(10);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  target.Stop();
}

}  // namespace
}  // namespace sealane::crypto
