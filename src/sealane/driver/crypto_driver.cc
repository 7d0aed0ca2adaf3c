// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/crypto_driver.h"

#include <utility>

#include "sealane/driver/message_control_path.h"
#include "sealane/driver/ring_control_path.h"

namespace sealane::driver {
namespace {

Result<std::unique_ptr<ControlPath>> OpenControlPath(Transport& transport) {
  if (SessionMessages* const messages = transport.messages()) {
    return std::unique_ptr<ControlPath>(std::make_unique<MessageControlPath>(*messages));
  }
  SL_ASSIGN_OR_RETURN(auto path, RingControlPath::Create(transport));
  return std::unique_ptr<ControlPath>(std::move(path));
}

}  // namespace

CryptoDriver::CryptoDriver(std::unique_ptr<Transport> transport, const Options& options)
    : control_timeout_(options.control_timeout), transport_(std::move(transport)) {}

// Channels before the control path before the transport, by the order of the members.
CryptoDriver::~CryptoDriver() = default;

Result<std::unique_ptr<CryptoDriver>> CryptoDriver::Create(std::unique_ptr<Transport> transport,
                                                           const Options& options) {
  std::unique_ptr<CryptoDriver> driver(new CryptoDriver(std::move(transport), options));
  Transport& device = *driver->transport_;
  const uint32_t max_queues = device.config().max_data_queues;
  if (options.num_data_queues > max_queues) {
    return Error{ErrorCode::kInvalid, "the device has fewer data queues"};
  }
  SL_ASSIGN_OR_RETURN(driver->control_, OpenControlPath(device));
  const uint32_t num_queues = options.num_data_queues == 0 ? max_queues : options.num_data_queues;
  for (uint32_t i = 0; i < num_queues; ++i) {
    SL_ASSIGN_OR_RETURN(auto channel,
                        DataChannel::Create(device, static_cast<uint16_t>(i), options));
    driver->channels_.push_back(std::move(channel));
  }
  return driver;
}

Outcome<SessionId> CryptoDriver::CreateSession(const CipherSessionParams& params) {
  return CreateSession(SessionParams(params));
}

Outcome<SessionId> CryptoDriver::CreateSession(const SessionParams& params) {
  SessionOp op{.kind = SessionOp::Kind::kCreate, .params = params};
  RunSessionOps({&op, 1});
  if (op.status != Status::kOk) return Failure{op.status, op.error};
  return op.session;
}

Outcome<void> CryptoDriver::CloseSession(SessionId session) {
  return CloseSession(Service::kCipher, session);
}

Outcome<void> CryptoDriver::CloseSession(Service service, SessionId session) {
  SessionOp op{.kind = SessionOp::Kind::kClose, .service = service, .session = session};
  RunSessionOps({&op, 1});
  if (op.status != Status::kOk) return Failure{op.status, op.error};
  return {};
}

void CryptoDriver::RunSessionOps(std::span<SessionOp> ops, std::chrono::nanoseconds timeout) {
  control_->Run(ops, ControlPath::Clock::now() + timeout);
}

void CryptoDriver::RunSessionOps(std::span<SessionOp> ops) { RunSessionOps(ops, control_timeout_); }

size_t CryptoDriver::StartSessionOps(std::span<SessionOp* const> ops) {
  return control_->Start(ops);
}

size_t CryptoDriver::PollSessionOps() { return control_->Poll(); }

bool CryptoDriver::WaitSessionOps(std::chrono::nanoseconds timeout) {
  return control_->Wait(ControlPath::Clock::now() + timeout);
}

void CryptoDriver::ShutDownSessionOps() { control_->Shutdown(); }

Result<DmaBuffer> CryptoDriver::AllocateBuffer(size_t size) {
  return transport_->memory()->Allocate(size);
}

}  // namespace sealane::driver
