// SPDX-License-Identifier: Apache-2.0
//
// CipherTarget: the serial engine of `sealane bench engine`: a thread that takes one job after the
// other from an EngineQueue and really encrypts or decrypts it, in the job's memory, under a Pin
// that lasts for the operation (engine_target.h, the second kind of target).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "bench_cipher.h"
#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/engine_target.h"

namespace sealane::cli {

struct CipherJob : crypto::EngineJob {
  std::span<const uint8_t> in;
  std::span<uint8_t> out;  // as long
  uint32_t index = 0;      // among its submitter's jobs
};

class CipherTarget final : public crypto::EngineTarget {
 public:
  // `capacity`: the queue's in-flight limit. The cipher is this target's until it is gone.
  CipherTarget(BenchCipher& cipher, size_t capacity);
  ~CipherTarget() override { Stop(); }

  // Starts the thread. The queue outlives Stop.
  void Launch(crypto::EngineQueue& queue);
  // Ends it; no job is with it any more.
  void Stop();

  crypto::StartResult Start(crypto::EngineJob& job, crypto::Ticket ticket) override;

 private:
  void Run();
  bool Next(crypto::Ticket& ticket);

  BenchCipher& cipher_;
  crypto::EngineQueue* queue_ = nullptr;

  std::mutex mutex_;  // of the next four members
  std::condition_variable changed_;
  std::vector<crypto::Ticket> tickets_;
  bool sleeps_ = false;
  bool stop_ = false;

  std::thread thread_;
};

}  // namespace sealane::cli
