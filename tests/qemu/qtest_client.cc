// SPDX-License-Identifier: Apache-2.0
#include "qtest_client.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace sealane::testing {
namespace {

// QEMU answers within microseconds; a loaded machine may take a while.
constexpr int kPatienceMs = 20'000;

constexpr char Suffix(AccessSize size) {
  switch (size) {
    case AccessSize::k1:
      return 'b';
    case AccessSize::k2:
      return 'w';
    case AccessSize::k4:
      return 'l';
    case AccessSize::k8:
      return 'q';
  }
  return 'b';
}

}  // namespace

bool QtestClient::Connect(const std::string& path) {
  *this = QtestClient();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  path.copy(address.sun_path, path.size());
  socket_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // SAFETY: the socket calls take any address family by a pointer to its common head.
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  ok_ = socket_.valid() && ::connect(socket_.get(), generic, sizeof address) == 0;
  return ok_;
}

bool QtestClient::Send(std::string_view line) {
  while (ok_ && !line.empty()) {
    const ssize_t sent = ::send(socket_.get(), line.data(), line.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) {
      ok_ = false;
    } else {
      line.remove_prefix(static_cast<size_t>(sent));
    }
  }
  if (ok_) ++expected_;
  return ok_;
}

bool QtestClient::Receive(bool wait) {
  pollfd readable{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  const int ready = ::poll(&readable, 1, wait ? kPatienceMs : 0);
  if (ready < 0 && errno == EINTR) return true;
  if (ready == 0 && !wait) return false;
  std::array<char, 4096> buffer;
  const ssize_t n = ready > 0 ? ::recv(socket_.get(), buffer.data(), buffer.size(), 0) : -1;
  if (n <= 0) {
    ok_ = false;
    return false;
  }
  received_.append(buffer.data(), static_cast<size_t>(n));
  return true;
}

bool QtestClient::TakeAnswer(bool wait) {
  while (ok_) {
    const size_t end = received_.find('\n');
    if (end == std::string::npos) {
      if (!Receive(wait)) return false;
      continue;
    }
    const std::string line = received_.substr(0, end);
    received_.erase(0, end + 1);
    if (line.starts_with("IRQ")) continue;  // sent unasked
    ok_ = line.starts_with("OK");
    value_ = line.size() > 3 ? std::strtoull(line.c_str() + 3, nullptr, 0) : 0;
    --expected_;
    return ok_;
  }
  return false;
}

void QtestClient::WaitForAnswers() {
  while (ok_ && expected_ != 0) TakeAnswer(true);
}

uint64_t QtestClient::Ask(std::string_view line) {
  if (!Send(line)) return 0;
  WaitForAnswers();
  return ok_ ? value_ : 0;
}

uint64_t QtestClient::Read(uint64_t addr, AccessSize size) {
  return Ask(fmt::format("read{} 0x{:x}\n", Suffix(size), addr));
}

void QtestClient::Write(uint64_t addr, AccessSize size, uint64_t value) {
  Ask(fmt::format("write{} 0x{:x} 0x{:x}\n", Suffix(size), addr, value));
}

bool QtestClient::TryWrite16(uint64_t addr, uint16_t value) {
  while (expected_ != 0 && TakeAnswer(false)) {
  }
  if (expected_ != 0) return false;
  return Send(fmt::format("writew 0x{:x} 0x{:x}\n", addr, value));
}

uint32_t QtestClient::In(uint16_t port, AccessSize size) {
  return static_cast<uint32_t>(Ask(fmt::format("in{} 0x{:x}\n", Suffix(size), port)));
}

void QtestClient::Out(uint16_t port, AccessSize size, uint32_t value) {
  Ask(fmt::format("out{} 0x{:x} 0x{:x}\n", Suffix(size), port, value));
}

}  // namespace sealane::testing
