// SPDX-License-Identifier: Apache-2.0
#include "run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <string_view>
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
constexpr size_t kMaxAkcipherResult = 1024;  // bytes: RSA with 8192 bits
constexpr std::chrono::seconds kPatience{30};

class Runner {
 public:
  explicit Runner(CryptoDriver& driver) : driver_(driver), sessions_(driver, kMaxSessions) {}

  // The answer to one line. Fails when the device does.
  CommandResult<std::string> Answer(const std::string& line) {
    auto request = ParseRequest(line);
    if (!request) return FaultLine(request.error());
    if (request->cipher == nullptr && request->service == nullptr) {
      return StatusLine(request->id, Status::kNotSupported);
    }
    const uint64_t max_size = driver_.config().max_size;
    if (request->in.size() > max_size) {
      return FaultLine(
          {request->id, "in", fmt::format("the device takes at most {} bytes", max_size)});
    }
    return request->cipher != nullptr ? Encipher(*request) : Serve(*request);
  }

 private:
  CommandResult<std::string> Encipher(JsonRequest& request) {
    Request wanted{
        .operation = request.operation, .iv = request.iv, .src = request.in, .dst = request.in};
    return Run(request, request.cipher->name,
               driver::CipherSessionParams{.algorithm = request.cipher->algorithm,
                                           .direction = request.operation,
                                           .key = request.key.bytes()},
               wanted);
  }

  // A hash, a MAC or AEAD.
  CommandResult<std::string> Serve(JsonRequest& request) {
    const ServiceAlgorithm& service = *request.service;
    const bool is_aead = service.kind == driver::RequestKind::kAead;
    const bool is_akcipher = service.kind == driver::RequestKind::kAkcipher;
    std::vector<uint8_t> out(is_aead       ? request.in.size()
                             : is_akcipher ? kMaxAkcipherResult
                                           : request.result_len);
    if (request.operation == driver::Operation::kVerify) out.clear();
    if (is_aead) request.tag.resize(request.result_len);
    Request wanted{.kind = service.kind,
                   .operation = request.operation,
                   .iv = request.iv,
                   .src = request.in,
                   .dst = out,
                   .aad = request.aad,
                   .tag = request.tag};
    return Run(request, service.name, ParamsOf(request), wanted);
  }

  static driver::SessionParams ParamsOf(const JsonRequest& request) {
    const ServiceAlgorithm& service = *request.service;
    if (service.kind == driver::RequestKind::kHash) {
      return driver::HashSessionParams{service.algorithm, request.result_len};
    }
    if (service.kind == driver::RequestKind::kMac) {
      return driver::MacSessionParams{service.algorithm, request.result_len, request.key.bytes()};
    }
    if (service.kind == driver::RequestKind::kAkcipher) {
      return driver::AkcipherSessionParams{.algorithm = service.algorithm,
                                           .is_private = request.is_private,
                                           .key = request.key.bytes(),
                                           .padding_or_curve = request.padding_or_curve,
                                           .hash = request.hash};
    }
    return driver::AeadSessionParams{.algorithm = service.algorithm,
                                     .direction = request.operation,
                                     .key = request.key.bytes(),
                                     .tag_len = request.result_len,
                                     .aad_len = static_cast<uint32_t>(request.aad.size())};
  }

  CommandResult<std::string> Run(const JsonRequest& request, std::string_view name,
                                 const driver::SessionParams& params, Request& wanted) {
    const bool decrypts = request.operation == driver::Operation::kDecrypt;
    const auto session =
        sessions_.Get(fmt::format("{} {} {} {} {} {}", name, decrypts, request.result_len,
                                  request.is_private, request.padding_or_curve, request.hash),
                      request.key.bytes(), params);
    if (!session) {
      const driver::Failure& failure = session.error();
      if (IsDeviceAnswer(failure.status)) return StatusLine(request.id, failure.status);
      if (failure.status == Status::kInvalidArgument) return StatusLine(request.id, Status::kError);
      return Failed(fmt::format("the device made no session: {}: {}", ToString(failure.status),
                                ToString(failure.error)));
    }
    wanted.session = *session;
    const Status status = driver_.channel(0).Call(wanted, kPatience);
    if (status == Status::kOk) {
      const bool seals = wanted.kind == driver::RequestKind::kAead && !decrypts;
      if (wanted.kind == driver::RequestKind::kAkcipher) {
        return OkLine(request.id, wanted.dst.first(wanted.out_len));
      }
      return seals ? SealedLine(request.id, wanted.dst, wanted.tag)
                   : OkLine(request.id, wanted.dst);
    }
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
