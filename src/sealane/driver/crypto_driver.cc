// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/crypto_driver.h"

#include <utility>

#include "sealane/driver/message_control_path.h"
#include "sealane/driver/ring_control_path.h"

namespace sealane::driver {
namespace {

Result<std::unique_ptr<ControlPath>> OpenControlPath(Transport& transport, const Options& options) {
  if (SessionMessages* const messages = transport.messages()) {
    return std::unique_ptr<ControlPath>(std::make_unique<MessageControlPath>(*messages));
  }
  SL_ASSIGN_OR_RETURN(auto path, RingControlPath::Create(transport, options.control_timeout));
  return std::unique_ptr<ControlPath>(std::move(path));
}

}  // namespace

CryptoDriver::CryptoDriver(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)) {}

// Channels before the control path before the transport, by the order of the members.
CryptoDriver::~CryptoDriver() = default;

Result<std::unique_ptr<CryptoDriver>> CryptoDriver::Create(std::unique_ptr<Transport> transport,
                                                           const Options& options) {
  std::unique_ptr<CryptoDriver> driver(new CryptoDriver(std::move(transport)));
  Transport& device = *driver->transport_;
  const uint32_t max_queues = device.config().max_data_queues;
  if (options.num_data_queues > max_queues) {
    return Error{ErrorCode::kInvalid, "the device has fewer data queues"};
  }
  SL_ASSIGN_OR_RETURN(driver->control_, OpenControlPath(device, options));
  const uint32_t num_queues = options.num_data_queues == 0 ? max_queues : options.num_data_queues;
  for (uint32_t i = 0; i < num_queues; ++i) {
    SL_ASSIGN_OR_RETURN(auto channel,
                        DataChannel::Create(device, static_cast<uint16_t>(i), options));
    driver->channels_.push_back(std::move(channel));
  }
  return driver;
}

Outcome<SessionId> CryptoDriver::CreateSession(const CipherSessionParams& params) {
  return control_->CreateSession(params);
}

Outcome<void> CryptoDriver::CloseSession(SessionId session) {
  return control_->CloseSession(session);
}

Result<DmaBuffer> CryptoDriver::AllocateBuffer(size_t size) {
  return transport_->memory()->Allocate(size);
}

}  // namespace sealane::driver
