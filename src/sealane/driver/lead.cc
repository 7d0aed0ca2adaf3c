// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/lead.h"

#include <algorithm>
#include <thread>

#include "sealane/base/cpu_relax.h"

namespace sealane::driver {
namespace {

// How long a thread looks at the ring before it sleeps; not at all after this many times in vain
// running, until a sleep turns out to have been shorter than that.
constexpr std::chrono::microseconds kPatience{50};
constexpr int kMaxLooksInVain = 4;
constexpr int kLooksInARow = 8;

}  // namespace

void Waiter::Sleep(std::chrono::steady_clock::time_point deadline) const {
  while (word_.load(std::memory_order_acquire) == kAsleep &&
         std::chrono::steady_clock::now() < deadline) {
    FutexWait(word_, kAsleep, deadline);
  }
}

Lead::Lead(Ring& ring) : ring_(ring), num_processors_(std::thread::hardware_concurrency()) {}

void Lead::Await(Waiter& waiter, Clock::time_point deadline) {
  num_waiters_.fetch_add(1, std::memory_order_relaxed);
  while (!waiter.done()) {
    if (looks_in_vain_.load(std::memory_order_relaxed) < kMaxLooksInVain) {
      LookAround(waiter, deadline);
      Appoint();
    }
    if (waiter.done() || Clock::now() >= deadline) break;
    SleepOrLead(waiter, deadline);
  }
  num_waiters_.fetch_sub(1, std::memory_order_relaxed);
}

void Lead::LookOnce() {
  if (!Take()) return;
  ring_.TakeUsed();
  GiveUp();
  Appoint();
}

// A thread that is alone looks at the ring all the time. Among more threads than processors each
// gives way between two looks, to those that have something to add and to the device, which then
// finds many requests at once. With fewer, looking would only keep the device off a processor.
void Lead::LookAround(const Waiter& waiter, Clock::time_point deadline) {
  const Clock::time_point end = std::min(deadline, Clock::now() + kPatience);
  do {
    const unsigned num_waiters = num_waiters_.load(std::memory_order_relaxed);
    for (int i = 0; i < kLooksInARow; ++i) {
      if (Take()) {
        ring_.TakeUsed();
        GiveUp();
      }
      if (waiter.done()) {
        looks_in_vain_.store(0, std::memory_order_relaxed);
        return;
      }
      if (num_waiters > 1 && num_waiters <= num_processors_) return;
      CpuRelax();
    }
    if (num_waiters > 1) std::this_thread::yield();
  } while (Clock::now() < end);
  looks_in_vain_.fetch_add(1, std::memory_order_relaxed);
}

void Lead::SleepOrLead(Waiter& waiter, Clock::time_point deadline) {
  const Clock::time_point start = Clock::now();
  {
    const Lock lock(mutex_);
    if (!waiter.FallAsleep()) return;
    sleepers_.push_back(&waiter);
    // Before Take, both in the one order that all threads agree on: either we get the lead, or
    // whoever gives it up sees a sleeper (Appoint).
    num_sleepers_.fetch_add(1, std::memory_order_seq_cst);
  }
  bool lead = Take();
  if (!lead) waiter.Sleep(deadline);
  {
    const Lock lock(mutex_);
    waiter.WakeUp();
    std::erase(sleepers_, &waiter);
    num_sleepers_.fetch_sub(1, std::memory_order_relaxed);
    if (appointed_ == &waiter) {
      appointed_ = nullptr;
      lead = true;
    }
  }
  if (lead) {
    while (!waiter.done() && Clock::now() < deadline) {
      ring_.SleepForDevice(deadline);
      ring_.TakeUsed();
    }
    GiveUp();
    Appoint();
  }
  if (Clock::now() - start < kPatience) looks_in_vain_.store(0, std::memory_order_relaxed);
}

// Whoever had the lead owes this to those who fell asleep meanwhile.
void Lead::Appoint() {
  // Pairs with SleepOrLead.
  if (num_sleepers_.load(std::memory_order_seq_cst) == 0 || !Take()) return;
  const Lock lock(mutex_);
  for (Waiter* const sleeper : sleepers_) {
    if (!sleeper->Appoint()) continue;
    appointed_ = sleeper;
    return;
  }
  // Under the lock: whoever falls asleep next finds the lead free.
  GiveUp();
}

}  // namespace sealane::driver
