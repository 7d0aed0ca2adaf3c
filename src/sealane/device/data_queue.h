// SPDX-License-Identifier: Apache-2.0
//
// DataQueue: one running data queue and its fixed pool of requests. It turns chains into ops and
// finished ops into used entries; DataRunner moves the ops through the lane. Belongs to the
// worker's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sealane/device/data_request.h"
#include "sealane/device/queue_port.h"

namespace sealane::device {

class DataQueue {
 public:
  // Requests of one queue that may be on their way at once.
  static constexpr size_t kPoolSize = 256;
  // Requests popped at once: enough to fill multi-buffer lanes, few enough to stay in the cache.
  static constexpr size_t kBatch = 64;

  explicit DataQueue(std::unique_ptr<QueuePort> port);

  // Pops up to kBatch chains. Those ready for the lane are appended to `ops`; the others are
  // finished. Returns how many chains were popped.
  size_t Fetch(const RequestContext& context, std::vector<crypto::Op*>& ops);

  // Writes the status, and gives the chain back with the next Publish of the port.
  void Finish(DataRequest& request, crypto::Status status);

  // Whether Fetch could pop anything; without, all requests are on their way.
  bool has_room() const { return !free_.empty(); }

  QueuePort& port() { return *port_; }

 private:
  std::unique_ptr<QueuePort> port_;
  std::vector<std::unique_ptr<DataRequest>> pool_;
  std::vector<DataRequest*> free_;
};

}  // namespace sealane::device
