// SPDX-License-Identifier: Apache-2.0
//
// BenchSubmitter: a client of the engine queue in `sealane bench engine`, who keeps some jobs on
// their way and runs on a thread of its own; and CompletionThread, which completes for all
// submitters when they do not do so themselves.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "cipher_target.h"
#include "doorbell.h"
#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/queue_client.h"

namespace sealane::cli {

// Where a job's completion runs: its check, and telling its submitter.
enum class Completion : uint8_t {
  kInline,     // on the engine's thread, before it goes on
  kWorker,     // on a thread for all completions
  kSubmitter,  // on the submitter's, which is woken once for several
};

class CompletionThread;

class BenchSubmitter final : public crypto::QueueObserver {
 public:
  static constexpr size_t kMaxJobs = 32;

  // The jobs, at most kMaxJobs, are in order of their index. `expected` is what each of them makes.
  // `worker` is for kWorker.
  BenchSubmitter(crypto::EngineQueue& queue, std::span<CipherJob> jobs,
                 std::span<const uint8_t> expected, Completion completion, CompletionThread* worker,
                 uint32_t index);
  ~BenchSubmitter() override;

  // Before Run. False if the queue has no room.
  [[nodiscard]] bool Register();

  // On its thread. Returns when `stop` is set and no job is on its way.
  void Run(const std::atomic<bool>& stop);
  // Completes what is done, on any thread.
  void DeliverAll();

  // When Run has returned. Jobs that were done before `stop`, and whether all were done right.
  uint64_t num_done() const { return num_done_; }
  bool failed() const;

  void OnStarted(crypto::EngineJob& job) override;
  void OnDone(crypto::EngineJob& job, const crypto::Outcome& outcome) override;
  void OnReady() override;

 private:
  bool Submit(uint32_t& idle);

  crypto::EngineQueue& queue_;
  const std::span<CipherJob> jobs_;
  const std::span<const uint8_t> expected_;
  const Completion completion_;
  CompletionThread* const worker_;
  const uint32_t index_;
  crypto::QueueClient client_;
  bool is_registered_ = false;
  Doorbell doorbell_;
  std::atomic<uint32_t> idle_;  // jobs that were completed, or never submitted: a bit for each
  const std::atomic<bool>* stop_ = nullptr;

  // By whoever completes, one thread at a time.
  uint64_t num_done_ = 0;
  uint32_t ever_done_ = 0;  // a bit for each job
  std::atomic<bool> failed_{false};
};

class CompletionThread {
 public:
  static constexpr size_t kMaxSubmitters = 32;

  // By index. They outlive Stop.
  void Launch(std::vector<BenchSubmitter*> submitters);
  // Ends the thread; nothing is on its way any more.
  void Stop();

  // The submitter of this index has something to complete. Any thread.
  void Add(uint32_t index);

 private:
  void Run();

  std::vector<BenchSubmitter*> submitters_;
  std::atomic<uint32_t> ready_{0};  // a bit for each
  std::atomic<bool> stop_{false};
  Doorbell doorbell_;
  std::thread thread_;
};

}  // namespace sealane::cli
