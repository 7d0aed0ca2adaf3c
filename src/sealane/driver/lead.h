// SPDX-License-Identifier: Apache-2.0
//
// Lead: how threads wait together for one ring. Each has a Waiter, a word of its own that says
// whether it is done. A thread looks at the ring for a while and then sleeps on its word. One
// thread at a time has the lead: only it looks at the used ring, takes what is finished and tells
// those who are done. While any sleep, one of them has the lead and sleeps for the device's
// interrupt; when it is done it appoints the next. So a thread is woken once: by whoever took its
// answer, or to lead, and then it takes its answer itself. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "sealane/base/futex.h"

namespace sealane::driver {

// Lives with the thread that waits.
class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // By the waiting thread. Acquire: pairs with the release in SetDone, so that the answer is seen.
  bool done() const { return word_.load(std::memory_order_acquire) == kDone; }

  // By another thread, once, with no lock held that the waiting thread needs. The last that it does
  // with the waiter, which may be gone right after. One system call if the thread sleeps, else
  // none.
  void SetDone() {
    const std::atomic<uint32_t>* const word = &word_;
    if (word_.exchange(kDone, std::memory_order_acq_rel) == kAsleep) FutexWakeOne(word);
  }

 private:
  friend class Lead;
  static constexpr uint32_t kAwake = 0;
  static constexpr uint32_t kAsleep = 1;
  static constexpr uint32_t kAppointed = 2;
  static constexpr uint32_t kDone = 3;

  bool Change(uint32_t from, uint32_t to) {
    return word_.compare_exchange_strong(from, to, std::memory_order_acq_rel);
  }
  // False if it is done already.
  bool FallAsleep() { return Change(kAwake, kAsleep); }
  void Sleep(std::chrono::steady_clock::time_point deadline) const;
  void WakeUp() {
    if (!Change(kAsleep, kAwake)) Change(kAppointed, kAwake);
  }
  // False if it does not sleep any more.
  bool Appoint() {
    if (!Change(kAsleep, kAppointed)) return false;
    FutexWakeOne(&word_);
    return true;
  }

  std::atomic<uint32_t> word_{kAwake};
};

class Lead {
 public:
  using Clock = std::chrono::steady_clock;

  // The ring, for the thread that has the lead.
  class Ring {
   public:
    virtual ~Ring() = default;
    // Takes what is finished and calls SetDone of those who waited for it. Costs one load if there
    // is nothing.
    virtual void TakeUsed() = 0;
    // Sleeps until there may be something for TakeUsed, at most until the deadline. A device that
    // is gone makes everybody done.
    virtual void SleepForDevice(Clock::time_point deadline) = 0;
  };

  explicit Lead(Ring& ring);

  // Returns when the waiter is done or the deadline has passed.
  void Await(Waiter& waiter, Clock::time_point deadline);

  // Takes what is finished, unless another thread does so now.
  void LookOnce();

 private:
  using Lock = std::unique_lock<std::mutex>;
  void LookAround(const Waiter& waiter, Clock::time_point deadline);
  void SleepOrLead(Waiter& waiter, Clock::time_point deadline);
  bool Take() { return !taken_.exchange(true, std::memory_order_seq_cst); }
  void GiveUp() { taken_.store(false, std::memory_order_seq_cst); }
  void Appoint();

  Ring& ring_;
  const unsigned num_processors_;
  std::atomic<bool> taken_{false};
  std::atomic<int> num_sleepers_{0};
  std::atomic<unsigned> num_waiters_{0};
  std::atomic<int> looks_in_vain_{0};  // running

  std::mutex mutex_;  // of the next two
  std::vector<Waiter*> sleepers_;
  Waiter* appointed_ = nullptr;  // was given the lead and has not woken up yet
};

}  // namespace sealane::driver
