// SPDX-License-Identifier: Apache-2.0
//
// Scenario: a few requests to one device and what was seen of each, as words that two devices'
// answers can be compared by. Borrows the CryptoVm. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crypto_vm.h"
#include "sealane/testing/crypto_requests.h"

namespace sealane::testing {

// One step of a scenario, seen from the driver.
struct Observation {
  std::string step;
  std::string ending;    // "used", "needs reset", "silence", "qemu ended"
  std::string status;    // a number, or "untouched"
  std::string used_len;  // a number, "-" if the chain was not used
  // "untouched", "openssl" (just what OpenSSL makes of the source, and nothing behind it),
  // "overrun" (something behind a descriptor), "other"; of a create request "an id" or "id N".
  std::string output;

  bool on_data_queue = true;  // the control queue is QEMU's own, whoever serves the data queue

  std::string Summary() const;
};

// How a data request is cut into descriptors.
enum class Framing : uint8_t {
  kLinux,         // header, IV, source | destination, status
  kByteEach,      // one descriptor per byte
  kSplitHeader,   // the header's last byte stands alone
  kIvWithSource,  // IV and source in one
  kStatusMerged,  // destination and status in one
  kLongStatus,    // status descriptor of four bytes
};

struct CipherSpec {
  uint32_t algo = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC;
  std::string openssl_name = "AES-128-CBC";
  size_t key_len = 16;
  size_t iv_len = 16;
  uint32_t direction = wire::VIRTIO_CRYPTO_OP_ENCRYPT;
};

// A data request; what is not set is as a good driver sets it.
struct DataShape {
  std::optional<uint64_t> session_id = {};
  std::optional<uint32_t> opcode = {};  // from the session's direction
  uint32_t op_type = wire::VIRTIO_CRYPTO_SYM_OP_CIPHER;
  size_t len = 64;                            // of the source that is there
  std::optional<uint32_t> src_len = {};       // as the header says
  std::optional<uint32_t> dst_len = {};       // as the header says
  std::optional<uint32_t> dst_room = {};      // writable bytes in front of the status
  std::optional<uint32_t> iv_len = {};        // as the header says
  std::optional<size_t> iv_bytes = {};        // that are there
  std::optional<size_t> readable_limit = {};  // only so many bytes of the readable part are there
  bool status_room = true;
  Framing framing = Framing::kLinux;
  bool in_place = false;
  bool indirect = true;
  std::function<void(std::span<wire::vring_desc> descs, uint64_t table)> spoil = {};
};

class Scenario {
 public:
  explicit Scenario(CryptoVm& vm) : vm_(&vm) {}

  // The request's fixed part, key_bytes of key, and this much room for the result. A room of other
  // than 16 bytes cannot hold just the result: then only whether something was written is recorded.
  void Create(const std::string& step, const CreateCipher& request, size_t key_bytes,
              uint32_t room = 16);
  void Destroy(const std::string& step, const DestroySession& request);
  // The same with any bytes.
  void CreateRaw(const std::string& step, const ChainShape& shape);
  void DestroyRaw(const std::string& step, const ChainShape& shape);

  // Not part of what is observed, unless it fails. Nothing is closed at a device that is broken.
  void OpenSession(const CipherSpec& spec);
  void CloseSession();
  // The session made last; 0 if none was.
  uint64_t session_id() const { return session_id_.value_or(0); }
  bool has_session() const { return session_id_.has_value(); }

  // A request to the session opened last.
  void Cipher(const std::string& step, const DataShape& data);

  // Whether the last request came back.
  bool device_works() const {
    return observations_.empty() || observations_.back().ending == "used";
  }

  std::vector<Observation> TakeObservations() { return std::move(observations_); }

 private:
  void RecordControl(const std::string& step, const Answer& answer, std::string status,
                     std::string output);
  void Record(const std::string& step, const Answer& answer, std::string status,
              std::string output);
  std::vector<uint8_t> Expected(const DataShape& data) const;

  CryptoVm* vm_;
  CipherSpec spec_;
  std::optional<uint64_t> session_id_;
  std::vector<Observation> observations_;
};

}  // namespace sealane::testing
