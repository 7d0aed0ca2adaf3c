// SPDX-License-Identifier: Apache-2.0
//
// RequestFields: what the fixed part of a data request says (virtio 1.3, 5.9.7.3 to 5.9.7.8), from
// whichever of its layouts. Copied once, nothing checked yet but that the layout exists. Pure
// functions.
#pragma once

#include <cstdint>

#include "sealane/crypto/op.h"
#include "sealane/crypto/session.h"
#include "sealane/device/framing.h"
#include "sealane/device/session_fields.h"
#include "sealane/ring/range_cursor.h"

namespace sealane::device {

// Which fields count depends on service and op_type. All lengths are bytes.
struct RequestFields {
  uint32_t service = 0;  // the opcode's halves
  uint32_t op = 0;
  uint64_t session_id = 0;
  bool is_stateless = false;
  uint32_t op_type = 0;  // CIPHER: VIRTIO_CRYPTO_SYM_OP_*
  uint32_t iv_len = 0;
  uint32_t aad_len = 0;
  uint32_t src_len = 0;
  uint32_t dst_len = 0;
  uint32_t result_len = 0;  // of digest, MAC or tag
  crypto::PayloadRange cipher_range{};
  crypto::PayloadRange hash_range{};
  SessionFields session{};  // stateless only

  bool is_chain() const { return op_type == wire::VIRTIO_CRYPTO_SYM_OP_ALGORITHM_CHAINING; }
};

// Fills fields that have their defaults. kNotSupported: there is no such opcode or op_type, or no
// stateless mode for it. kError: the request is too short.
crypto::Status ReadRequestFields(ring::RangeCursor& readable, const Framing& framing,
                                 RequestFields& fields);

// Whether such a request can be of such a session.
bool Agrees(const RequestFields& fields, const crypto::SessionInfo& info);

}  // namespace sealane::device
