// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/control_request.h"

#include <array>
#include <bit>
#include <utility>

#include "sealane/device/create_fields.h"
#include "sealane/device/session_fields.h"
#include "sealane/device/status_map.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {
namespace {

using crypto::Status;
using ring::RangeCursor;

std::expected<uint64_t, Status> CreateSession(RangeCursor& readable, uint32_t service,
                                              const ControlContext& context,
                                              const Framing& framing) {
  const auto fields = ReadCreateFields(readable, service, framing);
  if (!fields) return std::unexpected(Status::kError);
  auto params = ReadSessionParams(*fields, readable, context.compatibility);
  if (!params.has_value()) return std::unexpected(params.error());
  auto session = context.engine.CreateSession(std::move(*params));
  if (!session.has_value()) return std::unexpected(session.error());
  return context.sessions.Create(std::move(*session));
}

Status DestroySession(RangeCursor& readable, SessionTable& sessions) {
  std::array<uint8_t, sizeof(Le64)> bytes;
  if (!readable.CopyOut(bytes)) return Status::kError;
  return sessions.Close(std::bit_cast<Le64>(bytes).get()) ? Status::kOk : Status::kError;
}

ControlResult FinishWithByte(const ring::DescriptorChain& chain, Status status) {
  return {.status = status, .used_len = chain.WriteLastByte(ToWire(status)) ? 1U : 0U};
}

ControlResult FinishCreate(const ring::DescriptorChain& chain,
                           const std::expected<uint64_t, Status>& created) {
  const Status status = created.has_value() ? Status::kOk : created.error();
  const wire::virtio_crypto_session_input input{
      .session_id = Le64(created.value_or(0)), .status = Le32(ToWire(status)), .padding = Le32(0)};
  RangeCursor writable(chain.writable());
  const auto bytes = std::bit_cast<std::array<uint8_t, sizeof input>>(input);
  return {.status = status, .used_len = writable.CopyIn(bytes) ? uint32_t{sizeof input} : 0U};
}

}  // namespace

ControlResult RunControlRequest(const ring::DescriptorChain& chain, const ControlContext& context,
                                const Framing& framing) {
  RangeCursor readable(chain.readable());
  std::array<uint8_t, sizeof(wire::virtio_crypto_ctrl_header)> bytes;
  if (chain.bad() || !readable.CopyOut(bytes)) return FinishWithByte(chain, Status::kError);
  const uint32_t opcode = std::bit_cast<wire::virtio_crypto_ctrl_header>(bytes).opcode.get();
  if (const auto service = CreatedService(opcode)) {
    // A session whose id cannot be told to the driver must not come to be.
    if (chain.writable_len() < sizeof(wire::virtio_crypto_session_input)) {
      return FinishWithByte(chain, Status::kError);
    }
    return FinishCreate(chain, CreateSession(readable, *service, context, framing));
  }
  if (IsDestroy(opcode)) return FinishWithByte(chain, DestroySession(readable, context.sessions));
  return FinishWithByte(chain, Status::kNotSupported);
}

}  // namespace sealane::device
