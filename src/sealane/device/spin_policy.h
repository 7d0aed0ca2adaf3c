// SPDX-License-Identifier: Apache-2.0
//
// SpinPolicy: whether an idle worker should poll a little before it sleeps. Polling pays when work
// comes within the budget; after it did not a few times running, the worker sleeps at once, until a
// sleep turns out to have been so short that polling would have paid. One thread.
#pragma once

#include <algorithm>
#include <chrono>

namespace sealane::device {

class SpinPolicy {
 public:
  using Duration = std::chrono::steady_clock::duration;

  explicit SpinPolicy(Duration budget) : budget_(budget) {}

  // How long to poll now; zero means not at all.
  Duration budget() const { return credit_ > 0 ? budget_ : Duration::zero(); }

  void SpinFoundWork() { credit_ = kMaxCredit; }
  void SpinFoundNothing() { credit_ = std::max(credit_ - 1, 0); }
  void Slept(Duration slept) {
    if (slept < budget_ + kWakeUp) credit_ = kMaxCredit;
  }

 private:
  static constexpr int kMaxCredit = 4;
  // What it takes a thread to run again once it was rung for: part of every sleep. Without it, a
  // budget shorter than this would never be given again.
  static constexpr Duration kWakeUp = std::chrono::microseconds(25);
  Duration budget_;
  int credit_ = kMaxCredit;
};

}  // namespace sealane::device
