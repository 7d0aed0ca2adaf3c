// SPDX-License-Identifier: Apache-2.0
#include "engine_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "machine_load.h"

namespace sealane::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMib = 1024.0 * 1024.0;

std::vector<uint8_t> Plaintext(size_t size) {
  std::vector<uint8_t> text(size);
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<uint8_t>(i * 7 + i / 251);
  return text;
}

// Queue, engine and submitters of one turn.
class Turn {
 public:
  Turn(const EngineCell& cell, const EngineVariant& variant, BenchCipher& cipher,
       bool measure_latency)
      : variant_(variant),
        target_(cipher, cell.in_flight),
        queue_(target_, {.queue_depth = size_t{cell.num_submitters} * cell.in_flight,
                         .backlog_depth = 0,
                         .in_flight = cell.in_flight,
                         .lock = variant.lock,
                         .measure_latency = measure_latency}) {}

  bool Add(std::span<CipherJob> jobs, std::span<const uint8_t> expected) {
    submitters_.push_back(
        std::make_unique<BenchSubmitter>(queue_, jobs, expected, variant_.completion, &worker_,
                                         static_cast<uint32_t>(submitters_.size())));
    return submitters_.back()->Register();
  }

  // Jobs are counted until the time is over, and those on their way are waited for then.
  EngineTurn Run(double seconds) {
    Launch();
    const MachineLoad load;
    const Clock::time_point start = Clock::now();
    go_.store(true, std::memory_order_release);  // pairs with Launch's threads
    go_.notify_all();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    stop_.store(true, std::memory_order_relaxed);
    const EngineTurn turn{.seconds = std::chrono::duration<double>(Clock::now() - start).count(),
                          .cpu_seconds = load.OwnSeconds()};
    for (std::thread& thread : threads_) thread.join();
    worker_.Stop();
    target_.Stop();
    return turn;
  }

  crypto::QueueLatencies latencies() const {
    return queue_.latencies().value_or(crypto::QueueLatencies{});
  }
  uint64_t num_done() const {
    uint64_t sum = 0;
    for (const auto& submitter : submitters_) sum += submitter->num_done();
    return sum;
  }
  bool failed() const {
    return std::ranges::any_of(submitters_, [](const auto& one) { return one->failed(); });
  }

 private:
  void Launch() {
    target_.Launch(queue_);
    if (variant_.completion == Completion::kWorker) {
      std::vector<BenchSubmitter*> all;
      all.reserve(submitters_.size());
      for (const auto& submitter : submitters_) all.push_back(submitter.get());
      worker_.Launch(std::move(all));
    }
    for (const auto& submitter : submitters_) {
      threads_.emplace_back([this, one = submitter.get()] {
        go_.wait(false, std::memory_order_acquire);
        one->Run(stop_);
      });
    }
  }

  const EngineVariant variant_;
  CipherTarget target_;
  crypto::EngineQueue queue_;
  CompletionThread worker_;
  std::vector<std::unique_ptr<BenchSubmitter>> submitters_;  // the first to go
  std::vector<std::thread> threads_;
  std::atomic<bool> go_{false};
  std::atomic<bool> stop_{false};
};

}  // namespace

std::string NameOf(const EngineVariant& variant) {
  constexpr std::array kCompletions = {"inline", "worker", "submitter"};
  return fmt::format("{}+{}", variant.lock == crypto::LockKind::kSpin ? "spinlock" : "mutex",
                     kCompletions[static_cast<size_t>(variant.completion)]);
}

EngineLoad::EngineLoad(const EngineCell& cell, BenchCipher cipher)
    : cell_(cell), cipher_(std::move(cipher)) {}

CommandResult<EngineLoad> EngineLoad::Create(const EngineCell& cell, Direction direction) {
  SL_ASSIGN_OR_RETURN(BenchCipher cipher, BenchCipher::Create(*cell.algorithm, direction));
  SL_ASSIGN_OR_RETURN(BenchCipher encryption,
                      BenchCipher::Create(*cell.algorithm, Direction::kEncrypt));
  std::vector<uint8_t> source = Plaintext(cell.chunk);
  std::vector<uint8_t> expected(cell.chunk);
  if (!encryption.Crypt(source, expected)) return Failed("OpenSSL failed to encrypt");
  if (direction == Direction::kDecrypt) std::swap(source, expected);
  EngineLoad load(cell, std::move(cipher));
  const size_t num_jobs = size_t{cell.num_submitters} * cell.in_flight;
  for (size_t i = 0; i < num_jobs; ++i) {
    load.in_.insert(load.in_.end(), source.begin(), source.end());
  }
  load.out_.resize(load.in_.size());
  load.expected_ = std::move(expected);
  return load;
}

std::vector<std::vector<CipherJob>> EngineLoad::MakeJobs() {
  std::vector<std::vector<CipherJob>> all(cell_.num_submitters);
  size_t offset = 0;
  for (std::vector<CipherJob>& jobs : all) {
    jobs.resize(cell_.in_flight);
    for (uint32_t i = 0; i < cell_.in_flight; ++i) {
      jobs[i].cost = cell_.chunk;
      jobs[i].in = std::span(in_).subspan(offset, cell_.chunk);
      jobs[i].out = std::span(out_).subspan(offset, cell_.chunk);
      jobs[i].index = i;
      offset += cell_.chunk;
    }
  }
  return all;
}

CommandResult<EngineTurn> EngineLoad::Run(const EngineVariant& variant, double seconds) {
  return RunTurn(variant, seconds, nullptr);
}

CommandResult<crypto::QueueLatencies> EngineLoad::MeasureLatencies(const EngineVariant& variant,
                                                                   double seconds) {
  crypto::QueueLatencies latencies;
  SL_RETURN_IF_ERROR(RunTurn(variant, seconds, &latencies));
  return latencies;
}

CommandResult<EngineTurn> EngineLoad::RunTurn(const EngineVariant& variant, double seconds,
                                              crypto::QueueLatencies* latencies) {
  std::ranges::fill(out_, uint8_t{0});  // what was right before is not this turn's
  std::vector<std::vector<CipherJob>> jobs = MakeJobs();
  Turn turn(cell_, variant, cipher_, latencies != nullptr);
  for (std::vector<CipherJob>& of_one : jobs) {
    if (!turn.Add(of_one, expected_)) return Failed("the engine queue has no room");
  }
  EngineTurn result = turn.Run(seconds);
  if (turn.failed()) {
    return Failed(fmt::format("{}: a result was wrong", NameOf(variant)));
  }
  if (latencies != nullptr) *latencies = turn.latencies();
  result.mib_per_s = static_cast<double>(turn.num_done()) * static_cast<double>(cell_.chunk) /
                     kMib / result.seconds;
  return result;
}

}  // namespace sealane::cli
