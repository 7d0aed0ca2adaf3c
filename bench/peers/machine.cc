// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <sys/utsname.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

namespace sealane::bench {
namespace {

constexpr const char* kUnknown = "unknown";

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return kUnknown;
}

// tools/build_dpdk_peer.sh leaves it two folders above the program.
std::string DpdkVersion(const std::string& program) {
  std::ifstream file(std::filesystem::path(program).parent_path().parent_path() / "version");
  std::string version;
  return std::getline(file, version) ? version : kUnknown;
}

std::string VersionBy(const std::string& program) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      ::popen(("'" + program + "' --version").c_str(), "r"), ::pclose);
  std::array<char, 128> line{};
  if (pipe == nullptr || std::fgets(line.data(), line.size(), pipe.get()) == nullptr)
    return kUnknown;
  std::string version = line.data();
  version.erase(version.find_last_not_of('\n') + 1);
  return version.substr(version.rfind(' ') + 1);
}

}  // namespace

Machine DescribeMachine(const std::string& sealaned, const std::string& dpdk) {
  utsname system{};
  ::uname(&system);
  return {.cpu = CpuModel(),
          .cores = std::thread::hardware_concurrency(),
          .kernel = system.release,
          .dpdk = DpdkVersion(dpdk),
          .sealaned = VersionBy(sealaned)};
}

}  // namespace sealane::bench
