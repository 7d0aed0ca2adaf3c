// SPDX-License-Identifier: Apache-2.0
#include "machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <thread>

namespace sealane::cli {
namespace {

double ToSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double OwnNow() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return ToSeconds(usage.ru_utime) + ToSeconds(usage.ru_stime);
}

// Seconds that all processors together were not idle, by the first line of /proc/stat (proc(5)).
std::optional<double> BusyNow() {
  std::ifstream stat("/proc/stat");
  std::string word;
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  if (!stat || word != "cpu") return std::nullopt;
  const double busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
  return busy / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

MachineLoad::MachineLoad()
    : start_(std::chrono::steady_clock::now()), own_(OwnNow()), busy_(BusyNow()) {}

double MachineLoad::OwnSeconds() const { return OwnNow() - own_; }

std::optional<double> MachineLoad::ShareOfOthers() const {
  const std::optional<double> busy = BusyNow();
  if (!busy || !busy_) return std::nullopt;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const double all = elapsed.count() * std::max(1U, std::thread::hardware_concurrency());
  return std::max(0.0, *busy - *busy_ - OwnSeconds()) / all;
}

}  // namespace sealane::cli
