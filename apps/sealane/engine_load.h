// SPDX-License-Identifier: Apache-2.0
//
// EngineLoad: submitters in front of a serial engine that really encrypts, or decrypts: the
// experiment of `sealane bench engine`. Every result is checked. Main thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench_cipher.h"
#include "bench_submitter.h"
#include "command_result.h"
#include "sealane/crypto/queue_latencies.h"
#include "sealane/crypto/queue_lock.h"

namespace sealane::cli {

// What is compared.
struct EngineVariant {
  crypto::LockKind lock = crypto::LockKind::kMutex;
  Completion completion = Completion::kInline;
};
// The first is what the others are compared with.
inline constexpr EngineVariant kEngineVariants[] = {
    {crypto::LockKind::kSpin, Completion::kInline},
    {crypto::LockKind::kSpin, Completion::kWorker},
    {crypto::LockKind::kSpin, Completion::kSubmitter},
    {crypto::LockKind::kMutex, Completion::kInline},
    {crypto::LockKind::kMutex, Completion::kWorker},
    {crypto::LockKind::kMutex, Completion::kSubmitter}};
inline constexpr size_t kNumEngineVariants = std::size(kEngineVariants);
std::string NameOf(const EngineVariant& variant);  // "spinlock+inline"

// What it is compared at.
struct EngineCell {
  const BenchAlgorithm* algorithm = nullptr;
  size_t chunk = 0;  // bytes of a job
  unsigned num_submitters = 1;
  unsigned in_flight = 1;  // jobs that each submitter has on their way, and the engine's limit
};

struct EngineTurn {
  double mib_per_s = 0;
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads
};

class EngineLoad {
 public:
  static CommandResult<EngineLoad> Create(const EngineCell& cell, Direction direction);

  CommandResult<EngineTurn> Run(const EngineVariant& variant, double seconds);
  // The same, for where the time of the jobs went.
  CommandResult<crypto::QueueLatencies> MeasureLatencies(const EngineVariant& variant,
                                                         double seconds);

 private:
  EngineLoad(const EngineCell& cell, BenchCipher cipher);
  std::vector<std::vector<CipherJob>> MakeJobs();
  CommandResult<EngineTurn> RunTurn(const EngineVariant& variant, double seconds,
                                    crypto::QueueLatencies* latencies);

  EngineCell cell_;
  BenchCipher cipher_;
  std::vector<uint8_t> in_;  // of all jobs
  std::vector<uint8_t> out_;
  std::vector<uint8_t> expected_;  // of one job: they are all the same
};

}  // namespace sealane::cli
