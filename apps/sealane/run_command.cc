// SPDX-License-Identifier: Apache-2.0
#include "run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "json_request.h"
#include "line_reader.h"
#include "output.h"
#include "session_cache.h"

namespace sealane::cli {
namespace {

using driver::CryptoDriver;
using driver::Request;
using driver::Status;

constexpr size_t kMaxLineLen = size_t{64} << 20;
// Two digits a byte: no line can ask for more.
constexpr uint32_t kMaxPayload = kMaxLineLen / 2;
constexpr size_t kMaxSessions = 64;
constexpr std::chrono::seconds kPatience{30};

class Runner {
 public:
  explicit Runner(CryptoDriver& driver) : driver_(driver), sessions_(driver, kMaxSessions) {}

  // The answer to one line. Fails when the device does.
  CommandResult<std::string> Answer(const std::string& line) {
    auto request = ParseRequest(line);
    if (!request) return FaultLine(request.error());
    if (request->cipher == nullptr) return StatusLine(request->id, Status::kNotSupported);
    const uint64_t max_size = driver_.config().max_size;
    if (request->in.size() > max_size) {
      return FaultLine(
          {request->id, "in", fmt::format("the device takes at most {} bytes", max_size)});
    }
    return Encipher(*request);
  }

 private:
  CommandResult<std::string> Encipher(JsonRequest& request) {
    const auto session = sessions_.Get(*request.cipher, request.operation, request.key.bytes());
    if (!session) {
      const driver::Failure& failure = session.error();
      if (IsDeviceAnswer(failure.status)) return StatusLine(request.id, failure.status);
      return Failed(fmt::format("the device made no session: {}: {}", ToString(failure.status),
                                ToString(failure.error)));
    }
    Request cipher_request;
    cipher_request.session = *session;
    cipher_request.operation = request.operation;
    cipher_request.iv = request.iv;
    cipher_request.src = request.in;
    cipher_request.dst = request.in;
    const Status status = driver_.channel(0).Call(cipher_request, kPatience);
    if (status == Status::kOk) return OkLine(request.id, request.in);
    if (status == Status::kInvalidSession) sessions_.Forget(*session);
    if (IsDeviceAnswer(status)) return StatusLine(request.id, status);
    return Failed(fmt::format("the device failed: {}", ToString(status)));
  }

  CryptoDriver& driver_;
  SessionCache sessions_;
};

}  // namespace

CLI::App& AddRunCommand(CLI::App& app, DeviceOption& device) {
  CLI::App& command =
      *app.add_subcommand("run", "Answer JSON requests, one a line, from standard input");
  AddDeviceOptions(command, device);
  return command;
}

CommandResult<void> RunRequests(const DeviceOption& device) {
  SL_ASSIGN_OR_RETURN(const auto driver,
                      OpenDriver(device, {.depth = 1, .max_payload = kMaxPayload}));
  Runner runner(*driver);
  LineReader reader(STDIN_FILENO, kMaxLineLen);
  std::string line;
  while (true) {
    SL_ASSIGN_OR_RETURN(const LineReader::Outcome outcome, reader.Next(line));
    if (outcome == LineReader::Outcome::kEnd) return {};
    std::string answer;
    if (outcome == LineReader::Outcome::kTooLong) {
      answer = FaultLine({"null", std::nullopt, fmt::format("longer than {} bytes", kMaxLineLen)});
    } else {
      SL_ASSIGN_OR_RETURN(answer, runner.Answer(line));
    }
    SL_RETURN_IF_ERROR(WriteOut(answer));
  }
}

}  // namespace sealane::cli
