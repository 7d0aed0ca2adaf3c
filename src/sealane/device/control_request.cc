// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/control_request.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "sealane/device/algorithm_map.h"
#include "sealane/device/status_map.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {
namespace {

using crypto::Status;
using ring::RangeCursor;

bool IsCreate(uint32_t opcode) {
  constexpr std::array<uint32_t, 5> kCreateOpcodes = {
      wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION, wire::VIRTIO_CRYPTO_HASH_CREATE_SESSION,
      wire::VIRTIO_CRYPTO_MAC_CREATE_SESSION, wire::VIRTIO_CRYPTO_AEAD_CREATE_SESSION,
      wire::VIRTIO_CRYPTO_AKCIPHER_CREATE_SESSION};
  return std::ranges::find(kCreateOpcodes, opcode) != kCreateOpcodes.end();
}

std::expected<uint64_t, Status> CreateCipherSession(RangeCursor& readable, crypto::Engine& engine,
                                                    SessionTable& sessions) {
  std::array<uint8_t, sizeof(wire::virtio_crypto_sym_create_session_req)> bytes;
  if (!readable.CopyOut(bytes)) return std::unexpected(Status::kError);
  const auto body = std::bit_cast<wire::virtio_crypto_sym_create_session_req>(bytes);
  if (body.op_type.get() != wire::VIRTIO_CRYPTO_SYM_OP_CIPHER) {
    return std::unexpected(Status::kNotSupported);
  }
  const uint32_t key_len = body.para.keylen.get();
  if (key_len > crypto::kMaxCipherKeyLen) return std::unexpected(Status::kError);
  SecretBytes key(key_len);
  if (!readable.CopyOut(key.mutable_bytes())) return std::unexpected(Status::kError);
  auto params = CipherSessionFromWire(body.para.algo.get(), body.para.op.get(), std::move(key));
  if (!params.has_value()) return std::unexpected(params.error());
  auto session = engine.CreateSession(std::move(*params));
  if (!session.has_value()) return std::unexpected(session.error());
  return sessions.Create(std::move(*session));
}

Status DestroyCipherSession(RangeCursor& readable, SessionTable& sessions) {
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

ControlResult RunControlRequest(const ring::DescriptorChain& chain, crypto::Engine& engine,
                                SessionTable& sessions) {
  RangeCursor readable(chain.readable());
  std::array<uint8_t, sizeof(wire::virtio_crypto_ctrl_header)> bytes;
  if (chain.bad() || !readable.CopyOut(bytes)) return FinishWithByte(chain, Status::kError);
  const uint32_t opcode = std::bit_cast<wire::virtio_crypto_ctrl_header>(bytes).opcode.get();
  if (IsCreate(opcode)) {
    // A session whose id cannot be told to the driver must not come to be.
    if (chain.writable_len() < sizeof(wire::virtio_crypto_session_input)) {
      return FinishWithByte(chain, Status::kError);
    }
    if (opcode != wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION) {
      return FinishCreate(chain, std::unexpected(Status::kNotSupported));
    }
    return FinishCreate(chain, CreateCipherSession(readable, engine, sessions));
  }
  if (opcode == wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION) {
    return FinishWithByte(chain, DestroyCipherSession(readable, sessions));
  }
  return FinishWithByte(chain, Status::kNotSupported);
}

}  // namespace sealane::device
