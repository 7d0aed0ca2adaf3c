// SPDX-License-Identifier: Apache-2.0
//
// DataRequest: one request of a data queue from the popped chain to its status byte
// (virtio 1.3, 5.9.7.3 to 5.9.7.8). Objects come from a fixed pool and keep their lists' memory.
// Belongs to the worker's thread; a lane borrows the Op part.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/op.h"
#include "sealane/device/algorithm_map.h"
#include "sealane/device/framing.h"
#include "sealane/device/lane_session_cache.h"
#include "sealane/ring/descriptor_chain.h"

namespace sealane::device {

class DataQueue;

struct DataRequest : crypto::Op {
  ring::DescriptorChain chain;
  DataQueue* queue = nullptr;
  std::vector<crypto::Segment> src_segments;
  std::vector<crypto::Segment> dst_segments;
  std::vector<crypto::Segment> aad_segments;
  // Where in the writable part the tag (or a chain's digest) goes, and how long it is; 0: none is
  // written.
  uint64_t tag_offset = 0;
  uint32_t tag_len = 0;
  // A stateless request's own; the lane session is the first to go.
  std::shared_ptr<const crypto::Session> own_session;
  std::unique_ptr<crypto::LaneSession> own_lane_session;
};

// Where requests find their sessions. All of the worker's own, or shared by engine and device.
struct RequestContext {
  crypto::Engine& engine;
  crypto::Lane& lane;
  LaneSessionCache& sessions;
  Compatibility compatibility;
};

// Copies the header and everything decisions depend on, checks it against the chain, and fills the
// Op. Returns nothing if the request is ready for the lane, else the status that it ends with at
// once.
std::optional<crypto::Status> Prepare(DataRequest& request, const RequestContext& context,
                                      const Framing& framing);

// Writes tag and status byte of a request that ended with `status`, and returns the used length:
// result bytes + 1, or 1 for a status alone, or 0 if the chain has no place for it.
uint32_t WriteResult(const DataRequest& request, crypto::Status status);

}  // namespace sealane::device
