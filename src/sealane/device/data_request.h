// SPDX-License-Identifier: Apache-2.0
//
// DataRequest: one request of a data queue from the popped chain to its status byte
// (virtio 1.3, 5.9.7.3). Objects come from a fixed pool and keep their lists' memory. Belongs to
// the worker's thread; a lane borrows the Op part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sealane/crypto/op.h"
#include "sealane/device/lane_session_cache.h"
#include "sealane/ring/descriptor_chain.h"

namespace sealane::device {

class DataQueue;

struct DataRequest : crypto::Op {
  ring::DescriptorChain chain;
  DataQueue* queue = nullptr;
  std::vector<crypto::Segment> src_segments;
  std::vector<crypto::Segment> dst_segments;
};

// Copies the header and everything decisions depend on, checks it against the chain, and fills the
// Op. Returns nothing if the request is ready for the lane, else the status that it ends with at
// once.
std::optional<crypto::Status> Prepare(DataRequest& request, LaneSessionCache& sessions);

// Writes the status byte of a request that ended with `status` and returns the used length: result
// bytes + 1, or 1 for a status alone, or 0 if the chain has no place for it.
uint32_t WriteStatus(const DataRequest& request, crypto::Status status);

}  // namespace sealane::device
