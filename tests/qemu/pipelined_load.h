// SPDX-License-Identifier: Apache-2.0
//
// PipelinedLoad: keeps a fixed number of cipher requests outstanding in a device's data queue and
// counts how many come back. Borrows the CryptoVm, which must not be prepared anew meanwhile. One
// thread, which spins.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "crypto_vm.h"

namespace sealane::testing {

struct LoadShape {
  uint32_t len = 256;          // bytes of source and destination
  uint16_t depth = 200;        // requests outstanding
  uint16_t publish_each = 32;  // completions between two publications of the avail index
  bool indirect = false;       // each chain in a table of its own
};

class PipelinedLoad {
 public:
  // Lays out `depth` AES-128-CBC requests to this session (the key is CountingBytes). They must fit
  // into the queue.
  PipelinedLoad(CryptoVm& vm, uint64_t session_id, const LoadShape& shape);

  // Whether the queue has room for so many chains.
  static bool Fits(const DriverRing& ring, const LoadShape& shape);

  // Requests per second over this time. Nothing if the device failed one, fell silent or gave bytes
  // that are not OpenSSL's.
  std::optional<double> Run(std::chrono::duration<double> time);

 private:
  void AddRequest(uint16_t index, uint64_t session_id);
  uint16_t Head(uint16_t index) const;
  // Takes what has come back; with `again`, sends it off once more. False if one failed.
  bool Collect(bool again);
  void Publish();
  bool Drain();
  bool OutputsRight() const;

  CryptoVm* vm_;
  LoadShape shape_;
  std::vector<uint64_t> status_addrs_;
  std::vector<uint64_t> dst_addrs_;
  uint64_t num_done_ = 0;
  uint16_t num_pending_ = 0;  // pushed, not yet published
  bool kick_owed_ = false;
};

}  // namespace sealane::testing
