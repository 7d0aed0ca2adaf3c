// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/control_request.h"

#include <algorithm>
#include <bit>

namespace sealane::driver {

ControlRequest EncodeCreateCipher(const CipherSessionParams& params) {
  wire::virtio_crypto_sym_create_ctrl ctrl{};
  ctrl.header.opcode.set(wire::VIRTIO_CRYPTO_CIPHER_CREATE_SESSION);
  ctrl.header.algo.set(params.algorithm);
  ctrl.u.para.algo.set(params.algorithm);
  ctrl.u.para.keylen.set(static_cast<uint32_t>(params.key.size()));
  ctrl.u.para.op.set(WireDirection(params.direction));
  ctrl.u.op_type.set(wire::VIRTIO_CRYPTO_SYM_OP_CIPHER);
  return std::bit_cast<ControlRequest>(ctrl);
}

ControlRequest EncodeDestroyCipher(SessionId session) {
  wire::virtio_crypto_destroy_ctrl ctrl{};
  ctrl.header.opcode.set(wire::VIRTIO_CRYPTO_CIPHER_DESTROY_SESSION);
  ctrl.session_id.set(static_cast<uint64_t>(session));
  // Without REVISION_1 the fixed part is padded to that of a create request.
  ControlRequest request{};
  std::ranges::copy(std::bit_cast<std::array<uint8_t, sizeof ctrl>>(ctrl), request.begin());
  return request;
}

}  // namespace sealane::driver
