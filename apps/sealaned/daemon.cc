// SPDX-License-Identifier: Apache-2.0
#include "daemon.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "engine_by_name.h"
#include "sealane/backend/crypto_backend.h"
#include "sealane/device/crypto_device.h"
#include "sealane/vhost_user/listener.h"
#include "sealane/vhost_user/server.h"
#include "stop_signal.h"
#include "vanished_memory.h"

namespace sealaned {
namespace {

using sealane::Error;
using sealane::Log;
using sealane::LogLevel;
using sealane::Result;
using sealane::UniqueFd;
using sealane::backend::CryptoBackend;
using sealane::backend::Mode;
using sealane::device::CryptoDevice;
using sealane::vhost_user::Connection;
using sealane::vhost_user::Listener;
using sealane::vhost_user::ServeEnd;
using Source = std::variant<Listener, Connection>;

int Fail(const std::string& what, const Error& error) {
  Log(LogLevel::kError, what + ": " + ToString(error));
  return EXIT_FAILURE;
}

Result<Source> OpenSource(const Options& options) {
  if (options.fd) return sealane::vhost_user::AdoptFd(UniqueFd(*options.fd));
  SL_ASSIGN_OR_RETURN(Listener listener, Listener::Listen(options.socket_path));
  return Source(std::move(listener));
}

void PrintStats(const std::string& queue, const sealane::device::QueueStats& stats) {
  fmt::print(stderr, "{}: requests={} bytes={} errors={} kicks={} interrupts={}\n", queue,
             stats.requests, stats.bytes, stats.errors, stats.kicks, stats.interrupts);
}

// What one connection was served, then counted from 0 again.
void PrintSummary(CryptoDevice& device, Mode mode) {
  for (uint32_t index = 0; index < device.num_data_queues(); ++index) {
    PrintStats(fmt::format("queue {}", index), device.stats(index));
  }
  if (mode == Mode::kDevice) PrintStats("control", device.stats(device.control_index()));
  device.ClearStats();
}

// The end of one connection.
struct Ended {
  bool woken = false;   // by a stop signal
  bool failed = false;  // the connection had to be given up
};

Ended ServeConnection(Connection& connection, CryptoDevice& device, const Options& options,
                      int stop_fd) {
  CryptoBackend backend(device, options.mode);
  const Result<ServeEnd> end = sealane::vhost_user::Serve(connection, backend, stop_fd);
  PrintSummary(device, backend.mode());
  return {.woken = end.has_value() && *end == ServeEnd::kWoken, .failed = !end.has_value()};
}

int ServeListener(Listener& listener, CryptoDevice& device, const Options& options, int stop_fd) {
  while (true) {
    auto accepted = listener.Accept(stop_fd);
    if (!accepted.has_value()) return Fail("cannot accept a connection", accepted.error());
    if (!accepted->has_value()) return EXIT_SUCCESS;
    const Ended ended = ServeConnection(**accepted, device, options, stop_fd);
    if (ended.woken) return EXIT_SUCCESS;
    if (options.once) return ended.failed ? EXIT_FAILURE : EXIT_SUCCESS;
  }
}

}  // namespace

int RunDaemon(const Options& options) {
  ExitWhenMemoryVanishes();
  auto stop = CatchStopSignals();
  if (!stop.has_value()) return Fail("cannot catch signals", stop.error());
  auto engine = sealane::apps::CreateEngine(options.engine, options.enable_legacy);
  if (!engine.has_value()) return Fail("cannot start the engine", engine.error());
  auto device =
      CryptoDevice::Create(**engine, {.num_data_queues = options.num_queues,
                                      .max_sessions = options.max_sessions,
                                      .poll = std::chrono::microseconds(options.poll_us),
                                      .compatibility = {.linux_ecdsa = options.linux_ecdsa}});
  if (!device.has_value()) return Fail("cannot start the device", device.error());
  auto source = OpenSource(options);
  if (!source.has_value()) {
    return Fail(options.fd ? fmt::format("cannot use descriptor {}", *options.fd)
                           : "cannot listen on " + options.socket_path,
                source.error());
  }
  if (auto* connection = std::get_if<Connection>(&*source)) {
    const Ended ended = ServeConnection(*connection, **device, options, stop->get());
    return ended.failed ? EXIT_FAILURE : EXIT_SUCCESS;
  }
  return ServeListener(std::get<Listener>(*source), **device, options, stop->get());
}

}  // namespace sealaned
