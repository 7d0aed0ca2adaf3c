// SPDX-License-Identifier: Apache-2.0
#include "sealane/testing/crypto_requests.h"

#include <array>
#include <bit>

namespace sealane::testing {
namespace {

template <class T>
std::vector<uint8_t> ToBytes(const T& value, size_t padded_size) {
  const auto bytes = std::bit_cast<std::array<uint8_t, sizeof(T)>>(value);
  std::vector<uint8_t> padded(bytes.begin(), bytes.end());
  padded.resize(padded_size);
  return padded;
}

constexpr size_t kRequestSize = 72;

}  // namespace

std::vector<uint8_t> CreateCipher::Bytes() const {
  wire::virtio_crypto_sym_create_ctrl request{};
  request.header.opcode.set(opcode);
  request.header.algo.set(algo);
  request.u.para.algo.set(algo);
  request.u.para.keylen.set(key_len);
  request.u.para.op.set(direction);
  request.u.op_type.set(op_type);
  return ToBytes(request, kRequestSize);
}

std::vector<uint8_t> DestroySession::Bytes() const {
  wire::virtio_crypto_destroy_ctrl request{};
  request.header.opcode.set(opcode);
  request.session_id.set(session_id);
  return ToBytes(request, kRequestSize);
}

std::vector<uint8_t> CipherRequest::Bytes() const {
  wire::virtio_crypto_sym_op request{};
  request.header.opcode.set(opcode);
  request.header.session_id.set(session_id);
  request.u.iv_len.set(iv_len);
  request.u.src_data_len.set(src_len);
  request.u.dst_data_len.set(dst_len);
  request.u.op_type.set(op_type);
  return ToBytes(request, kRequestSize);
}

}  // namespace sealane::testing
