// SPDX-License-Identifier: Apache-2.0
//
// QueueLock: the lock of an EngineQueue, a mutex or a spinlock that gives the processor away after
// some turns. Which one is chosen when the queue is made, so that a benchmark can compare them; it
// is held for a few list operations, never for a callback or for the work itself. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace sealane::crypto {

enum class LockKind : uint8_t { kMutex, kSpin };

class QueueLock {
 public:
  explicit QueueLock(LockKind kind) : kind_(kind) {}
  QueueLock(const QueueLock&) = delete;
  QueueLock& operator=(const QueueLock&) = delete;

  // Named as the standard library wants a lock's functions.
  void lock();
  void unlock();

  // Ends the process if this thread holds any QueueLock. Called before every call out of the queue.
  static void CheckNoneHeld();

 private:
  void LockSpinning();

  const LockKind kind_;
  std::mutex mutex_;
  std::atomic_flag spin_;
};

}  // namespace sealane::crypto
