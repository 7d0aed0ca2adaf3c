// SPDX-License-Identifier: Apache-2.0
#include "qemu_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "sealane/base/check.h"

namespace sealane::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kProgram = "qemu-system-x86_64";
constexpr std::chrono::seconds kPatience{30};
constexpr std::chrono::milliseconds kPause{2};
constexpr int kCannotRun = 127;

// The processor starts 16 bytes below the end of the ROM: cli; hlt; jmp back to hlt, in case that
// an interrupt which cannot be masked wakes it.
constexpr size_t kRomSize = 65536;
constexpr size_t kResetVector = kRomSize - 16;
constexpr std::array<uint8_t, 4> kHalt = {0xfa, 0xf4, 0xeb, 0xfd};

void WriteHaltRom(const std::string& path) {
  std::string rom(kRomSize, '\0');
  std::ranges::copy(kHalt, rom.begin() + kResetVector);
  std::ofstream(path, std::ios::binary) << rom;
}

std::vector<std::string> Words(const GuestRam& ram, const std::string& rom,
                               const std::string& socket_path,
                               const std::vector<std::string>& device_arguments) {
  // Debian's QEMU has no "-accel qtest", but the qtest socket works beside any processor.
  std::vector<std::string> words = {
      kProgram,
      "-accel",
      "tcg",
      "-bios",
      rom,
      "-M",
      "q35,memory-backend=ram",
      "-m",
      fmt::format("{}M", ram.size() >> 20),
      "-object",
      fmt::format("memory-backend-file,id=ram,size={},mem-path=/proc/self/fd/{},share=on",
                  ram.size(), ram.fd()),
      "-nodefaults",
      "-no-user-config",
      "-display",
      "none",
      "-qtest",
      fmt::format("unix:{},server=on,wait=off", socket_path),
      "-qtest-log",
      "/dev/null"};
  words.insert(words.end(), device_arguments.begin(), device_arguments.end());
  return words;
}

}  // namespace

bool QemuProcess::Installed() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + kProgram).c_str(), X_OK) == 0) return true;
  }
  return false;
}

QemuProcess::QemuProcess(const GuestRam& ram, const std::vector<std::string>& device_arguments) {
  std::string pattern = std::filesystem::temp_directory_path() / "sealane-qemu.XXXXXX";
  SL_CHECK(::mkdtemp(pattern.data()) != nullptr);
  folder_ = pattern;
  log_path_ = folder_ + "/log";
  const std::string rom = folder_ + "/halt.bin";
  const std::string socket_path = folder_ + "/qtest";
  WriteHaltRom(rom);
  const std::vector<std::string> words = Words(ram, rom, socket_path, device_arguments);
  pid_ = ::fork();
  SL_CHECK(pid_ >= 0);
  if (pid_ == 0) RunChild(words);
  ConnectToChild(socket_path);
}

void QemuProcess::RunChild(const std::vector<std::string>& words) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no QEMU behind
  // Some requests end QEMU itself; nobody wants its core.
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int log = ::open(log_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  argv.reserve(copies.size() + 1);
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(kProgram, argv.data());
  ::_exit(kCannotRun);
}

void QemuProcess::ConnectToChild(const std::string& socket_path) {
  const auto end = Clock::now() + kPatience;
  while (Clock::now() < end && !HasEnded(kPause)) {
    if (client_.Connect(socket_path)) return;
  }
}

QemuProcess::~QemuProcess() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

bool QemuProcess::HasEnded(std::chrono::milliseconds patience) {
  const auto end = Clock::now() + patience;
  while (!ended_) {
    ended_ = ::waitpid(pid_, nullptr, WNOHANG) == pid_;
    if (ended_ || Clock::now() >= end) break;
    std::this_thread::sleep_for(kPause);
  }
  return ended_;
}

std::string QemuProcess::Log() const {
  std::ifstream file(log_path_);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sealane::testing
