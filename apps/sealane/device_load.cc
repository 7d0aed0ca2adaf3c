// SPDX-License-Identifier: Apache-2.0
#include "device_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace sealane::cli {
namespace {

using Clock = std::chrono::steady_clock;
using driver::Request;
using driver::Status;

// Far longer than the largest batch takes on a slow and loaded machine.
constexpr std::chrono::seconds kPatience{20};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Another text in each buffer, so that a mix-up shows.
void FillPattern(std::span<uint8_t> bytes, size_t seed) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(seed * 31 + i + (i >> 8));
  }
}

}  // namespace

Round& Round::operator+=(const Round& other) {
  ops += other.ops;
  seconds += other.seconds;
  return *this;
}

DeviceLoad::DeviceLoad(driver::DataChannel& channel, size_t depth)
    : channel_(channel), requests_(depth), done_(depth) {
  all_.reserve(depth);
  for (Request& request : requests_) all_.push_back(&request);
}

CommandResult<DeviceLoad> DeviceLoad::Create(driver::CryptoDriver& driver,
                                             driver::SessionId session, std::span<const uint8_t> iv,
                                             size_t size, size_t depth) {
  DeviceLoad load(driver.channel(0), depth);
  for (Request& request : load.requests_) {
    auto buffer = driver.AllocateBuffer(size);
    if (!buffer) {
      return Failed(fmt::format("no memory for {} requests of {} bytes: {}", depth, size,
                                ToString(buffer.error())));
    }
    request.session = session;
    request.iv = iv;
    request.src = buffer->bytes();
    request.dst = buffer->bytes();
    load.buffers_.push_back(std::move(*buffer));
  }
  return load;
}

DeviceLoad::~DeviceLoad() {
  if (done_.empty() || channel_.in_flight() == 0) return;  // moved from, or at rest
  channel_.Shutdown();
  while (channel_.Poll(done_) != 0) {
  }
}

CommandResult<void> DeviceLoad::Submit(std::span<Request* const> requests) {
  if (channel_.Submit(requests) == requests.size()) return {};
  return Failed(channel_.error() ? "the device failed: " + ToString(*channel_.error())
                                 : "the queue took fewer requests than it is deep");
}

CommandResult<size_t> DeviceLoad::Collect() {
  size_t num = channel_.Poll(done_);
  while (num == 0) {
    if (!channel_.Wait(kPatience)) return Failed("the device does not answer");
    num = channel_.Poll(done_);
  }
  for (const Request* request : std::span(done_).first(num)) {
    if (request->status == Status::kOk) continue;
    return Failed(fmt::format("the device answered {}", ToString(request->status)));
  }
  return num;
}

CommandResult<void> DeviceLoad::Verify(EvpBaseline& evp) {
  for (size_t i = 0; i < requests_.size(); ++i) FillPattern(requests_[i].dst, i);
  SL_RETURN_IF_ERROR(Submit(all_));
  for (size_t num_done = 0; num_done < all_.size();) {
    SL_ASSIGN_OR_RETURN(const size_t num, Collect());
    num_done += num;
  }
  std::vector<uint8_t> expected(requests_[0].dst.size());
  for (size_t i = 0; i < requests_.size(); ++i) {
    FillPattern(expected, i);
    if (!evp.Encrypt(requests_[i].iv, expected)) return Failed("OpenSSL failed to encrypt");
    if (!std::ranges::equal(expected, requests_[i].dst)) {
      return Failed(fmt::format("wrong result: the device and OpenSSL disagree on {} bytes",
                                expected.size()));
    }
  }
  return {};
}

CommandResult<Round> DeviceLoad::Run(double seconds) {
  Round round;
  const Clock::time_point start = Clock::now();
  SL_RETURN_IF_ERROR(Submit(all_));
  size_t in_flight = all_.size();
  while (in_flight > 0) {
    SL_ASSIGN_OR_RETURN(const size_t num, Collect());
    round.ops += num;
    round.seconds = SecondsSince(start);
    if (round.seconds >= seconds) {
      in_flight -= num;
      continue;
    }
    SL_RETURN_IF_ERROR(Submit(std::span(done_).first(num)));
  }
  return round;
}

}  // namespace sealane::cli
