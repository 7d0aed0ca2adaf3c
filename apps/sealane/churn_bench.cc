// SPDX-License-Identifier: Apache-2.0
#include "churn_bench.h"

#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "control_bench.h"
#include "control_design.h"
#include "device_load.h"

namespace sealane::cli {
namespace {

constexpr size_t kPayload = 256;
constexpr size_t kDepth = 64;

// Threads that do something again and again until they are stopped.
class Crowd {
 public:
  Crowd(unsigned num_threads, const std::function<bool()>& once) {
    for (unsigned i = 0; i < num_threads; ++i) {
      threads_.emplace_back([this, &once] {
        while (!stop_.load(std::memory_order_relaxed)) {
          if (!once()) failed_.store(true, std::memory_order_relaxed);
          times_.fetch_add(1, std::memory_order_relaxed);
        }
      });
    }
  }
  ~Crowd() { Stop(); }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  // How often they did it together; nothing if it failed.
  std::optional<uint64_t> Stop() {
    stop_.store(true, std::memory_order_relaxed);
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    if (failed_.load(std::memory_order_relaxed)) return std::nullopt;
    return times_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  std::atomic<uint64_t> times_{0};
  std::vector<std::thread> threads_;
};

bool MakeAndClose(driver::CryptoDriver& driver) {
  const auto session = driver.CreateSession(BenchSession());
  return session && driver.CloseSession(*session);
}

bool Count() {
  for (int i = 0; i < 1000; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
  return true;
}

}  // namespace

CommandResult<ChurnResult> MeasureChurn(const DeviceOption& option, unsigned num_threads,
                                        unsigned num_rounds, double seconds) {
  static constexpr std::array<uint8_t, 16> kIv = {9, 8, 7};
  SL_ASSIGN_OR_RETURN(const auto driver, OpenDriver(option, {.depth = kDepth, .max_payload = 0}));
  const auto session = driver->CreateSession(BenchSession());
  if (!session) return Failed("the device made no session");
  SL_ASSIGN_OR_RETURN(DeviceLoad load,
                      DeviceLoad::Create(*driver, *session, kIv, kPayload, kDepth));
  std::vector<double> alone;
  std::vector<double> churned;
  std::vector<double> busy;
  std::vector<double> sessions;
  const std::function<bool()> churn = [&driver] { return MakeAndClose(*driver); };
  const std::function<bool()> count = Count;
  for (unsigned i = 0; i < num_rounds; ++i) {
    SL_ASSIGN_OR_RETURN(const Round by_itself, load.Run(seconds));
    alone.push_back(by_itself.ops_per_s());
    Crowd churners(num_threads, churn);
    SL_ASSIGN_OR_RETURN(const Round with_churn, load.Run(seconds));
    const auto times = churners.Stop();
    if (!times) return Failed("a session failed");
    churned.push_back(with_churn.ops_per_s());
    sessions.push_back(static_cast<double>(*times) / with_churn.seconds);
    Crowd counters(num_threads, count);
    SL_ASSIGN_OR_RETURN(const Round with_others, load.Run(seconds));
    counters.Stop();
    busy.push_back(with_others.ops_per_s());
  }
  return ChurnResult{.alone_ops_per_s = MedianOf(alone),
                     .churned_ops_per_s = MedianOf(churned),
                     .busy_ops_per_s = MedianOf(busy),
                     .sessions_per_s = MedianOf(sessions)};
}

}  // namespace sealane::cli
