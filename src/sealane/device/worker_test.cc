// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <array>

namespace sealane::device {
namespace {

using namespace std::chrono_literals;

// Work is a counter that anybody may raise; finishing one takes two calls, as with a lane.
class FakeRunner final : public Runner {
 public:
  size_t RunOnce() override {
    runs.fetch_add(1, std::memory_order_relaxed);
    const size_t finished = std::exchange(in_flight, 0);
    if (work.load() == 0) return finished;
    work.fetch_sub(1);
    in_flight = 1;
    done.fetch_add(1);
    return finished + 1;
  }
  bool Arm() override { return work.load() != 0; }
  void Disarm() override {
    if (kick.valid()) kick.Drain();
  }
  void Drain() override {
    in_flight = 0;
    drains.fetch_add(1);
  }

  std::atomic<int> work{0};
  std::atomic<int> done{0};
  std::atomic<int> drains{0};
  std::atomic<uint64_t> runs{0};
  size_t in_flight = 0;  // the worker's thread only
  EventFd kick;
};

// The CPU clock of the worker's thread.
clockid_t ClockOf(Worker& worker) {
  clockid_t clock{};
  worker.Execute([&] { ::pthread_getcpuclockid(::pthread_self(), &clock); });
  return clock;
}

std::chrono::nanoseconds CpuTime(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// CPU time that the worker uses while nobody wants anything from it.
std::chrono::nanoseconds CpuWhileIdle(Worker& worker) {
  const clockid_t clock = ClockOf(worker);
  const auto before = CpuTime(clock);
  std::this_thread::sleep_for(300ms);
  return CpuTime(clock) - before;
}

template <class Condition>
bool Eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

class WorkerTest : public ::testing::Test {
 protected:
  void SetUp() override { worker->Start(runner); }

  FakeRunner runner;
  std::unique_ptr<Worker> worker = Worker::Create(50us).value();
};

TEST_F(WorkerTest, Execute_RunsOnTheWorkersThreadWithNothingInFlight) {
  std::thread::id thread;
  for (int i = 0; i < 100; ++i) {
    runner.work.store(1);
    size_t in_flight = 1;
    const int drains = runner.drains.load();
    worker->Execute([&] {
      thread = std::this_thread::get_id();
      in_flight = runner.in_flight;
    });
    EXPECT_EQ(in_flight, 0U);
    EXPECT_GT(runner.drains.load(), drains);
  }
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(WorkerTest, Execute_FromManyThreads_EachRunsOnce) {
  int count = 0;  // only the worker's thread touches it
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i) worker->Execute([&] { ++count; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 1000);
}

TEST_F(WorkerTest, Wake_MakesASleeperLook) {
  std::this_thread::sleep_for(20ms);  // asleep by now
  runner.work.store(5);
  worker->Wake();
  EXPECT_TRUE(Eventually([&] { return runner.done.load() == 5; }));
}

TEST_F(WorkerTest, WatchedDescriptor_WakesAsOftenAsItRings) {
  worker->Execute([&] { runner.kick = EventFd::Create().value(); });
  ASSERT_TRUE(worker->Watch(runner.kick.fd()).has_value());
  for (int i = 1; i <= 200; ++i) {
    runner.work.fetch_add(1);
    runner.kick.Signal();
    ASSERT_TRUE(Eventually([&] { return runner.done.load() == i; })) << i;
    if (i % 20 == 0) std::this_thread::sleep_for(1ms);
  }
  worker->Unwatch(runner.kick.fd());
}

TEST_F(WorkerTest, Idle_UsesNoCpu) {
  runner.work.store(100);
  worker->Wake();
  EXPECT_TRUE(Eventually([&] { return runner.done.load() == 100; }));
  EXPECT_LT(CpuWhileIdle(*worker), 20ms);
}

TEST_F(WorkerTest, RegularFile_CannotBeWatched) {
  const UniqueFd file(::memfd_create("kick", MFD_CLOEXEC));
  EXPECT_FALSE(worker->Watch(file.get()).has_value());
  EXPECT_FALSE(worker->Watch(-1).has_value());
}

TEST_F(WorkerTest, DescriptorReadableForEver_DoesNotKeepItAwake) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const UniqueFd hung_up(pipe[0]);
  std::array<int, 2> socket{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket.data()), 0);
  const UniqueFd unread(socket[0]);
  const UniqueFd writer(socket[1]);
  ASSERT_EQ(::write(writer.get(), "unread", 6), 6);
  ASSERT_TRUE(worker->Watch(hung_up.get()).has_value());
  ASSERT_TRUE(worker->Watch(unread.get()).has_value());
  ::close(pipe[1]);
  EXPECT_LT(CpuWhileIdle(*worker), 20ms);
}

TEST_F(WorkerTest, Stop_DrainsAndStartGoesOn) {
  const int drains = runner.drains.load();
  worker->Stop();
  EXPECT_GT(runner.drains.load(), drains);
  worker->Stop();  // once more does nothing
  runner.work.store(1);
  worker->Start(runner);
  EXPECT_TRUE(Eventually([&] { return runner.done.load() == 1; }));
}

TEST(Worker, NeverPolls_WithoutABudget) {
  FakeRunner runner;
  const auto worker = Worker::Create(0us).value();
  worker->Start(runner);
  worker->Execute([] {});
  const uint64_t before = runner.runs.load();
  for (int i = 0; i < 10; ++i) worker->Execute([] {});
  worker->Stop();
  EXPECT_LE(runner.runs.load() - before, 40U) << "looked more often than it was woken";
}

}  // namespace
}  // namespace sealane::device
