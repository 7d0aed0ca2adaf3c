// SPDX-License-Identifier: Apache-2.0
//
// CryptoVm: a virtio-crypto device in a halted QEMU, driven request by request, and what became of
// each. The device behind it is QEMU's own or a vhost-user back-end; the requests are the same. One
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver_ring.h"
#include "guest_ram.h"
#include "qemu_process.h"
#include "virtio_pci.h"

namespace sealane::testing {

// A chain of descriptors, and what stands in their memory.
struct ChainShape {
  std::vector<std::vector<uint8_t>> readable = {};  // one descriptor each
  std::vector<uint32_t> writable = {};              // lengths, one descriptor each
  bool in_place = false;  // the first writable descriptor is the memory of the last readable one
  bool indirect = true;   // in a table of its own
  // Spoils the finished table (its guest address is `table`, the descriptors' `next` count from its
  // begin). An indirect chain's own descriptor stays well-formed.
  std::function<void(std::span<wire::vring_desc> descs, uint64_t table)> spoil = {};
};

enum class Ending : uint8_t { kUsed, kNeedsReset, kSilence, kQemuEnded };

struct Answer {
  Ending ending = Ending::kSilence;
  uint32_t used_len = 0;
  std::vector<uint8_t> written;  // all writable bytes in chain order; kUntouched where not written
  bool overrun = false;          // whether bytes beyond a writable descriptor changed
};

class CryptoVm {
 public:
  static constexpr uint8_t kUntouched = 0xa5;

  // The device is QEMU's own, or served at this vhost-user socket.
  explicit CryptoVm(std::optional<std::string> vhost_user_socket);

  // A device that has just been reset, in a new QEMU if the old one is not fit for it. False if
  // that cannot be had: see Log().
  bool Prepare();

  Answer Control(const ChainShape& shape);
  Answer Data(const ChainShape& shape);

  // For a caller that drives the data queue itself.
  GuestRam& ram() { return ram_; }
  QtestClient& client() { return qemu_->client(); }
  DriverRing& data_ring() { return *data_.ring; }
  uint64_t data_notify_addr() const { return data_.notify_addr; }

  std::string Log() const { return qemu_ ? qemu_->Log() : ""; }

 private:
  struct Queue {
    uint16_t index = 0;
    uint64_t notify_addr = 0;
    std::optional<DriverRing> ring;
  };

  bool StartQemu();
  bool SetUpDevice();
  void SetUpQueue(Queue& queue, uint16_t index);
  Answer Run(Queue& queue, const ChainShape& shape);
  Ending Await(Queue& queue, Answer& answer);

  std::optional<std::string> vhost_user_socket_;
  GuestRam ram_;
  uint64_t empty_mark_;
  std::unique_ptr<QemuProcess> qemu_;
  std::optional<VirtioPci> virtio_;
  Queue data_;
  Queue control_;
  bool spoilt_ = false;  // what the device still holds is unknown
};

}  // namespace sealane::testing
