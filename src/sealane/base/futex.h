// SPDX-License-Identifier: Apache-2.0
//
// Futex: a thread sleeps until a 32-bit word is no longer what it was. std::atomic::wait has no
// deadline and keeps its sleepers in a table that all words share. Within one process; any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace sealane {

// Sleeps while `word` is `expected`, until FutexWakeOne or the deadline. May return for no reason.
void FutexWait(const std::atomic<uint32_t>& word, uint32_t expected,
               std::chrono::steady_clock::time_point deadline);

// Wakes one thread that sleeps on the word. The word may be gone already, as the memory of a thread
// that has seen the change without sleeping: whoever uses it now wakes for no reason, no more.
void FutexWakeOne(const std::atomic<uint32_t>* word);

}  // namespace sealane
