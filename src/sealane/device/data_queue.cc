// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/data_queue.h"

#include <algorithm>
#include <array>

namespace sealane::device {
namespace {

// Lists that grew beyond this for an unusual request give their memory back.
constexpr size_t kKeptSegments = 256;

void ClearList(std::vector<crypto::Segment>& list) {
  list.clear();
  if (list.capacity() > kKeptSegments) list.shrink_to_fit();
}

}  // namespace

DataQueue::DataQueue(std::unique_ptr<QueuePort> port) : port_(std::move(port)) {
  for (size_t i = 0; i < kPoolSize; ++i) {
    pool_.push_back(std::make_unique<DataRequest>());
    pool_.back()->queue = this;
    free_.push_back(pool_.back().get());
  }
}

size_t DataQueue::Fetch(const RequestContext& context, std::vector<crypto::Op*>& ops) {
  std::array<ring::DescriptorChain*, kBatch> chains;
  const size_t wanted = std::min(kBatch, free_.size());
  // The requests on top of the free list, in the order in which they will be taken off it.
  for (size_t i = 0; i < wanted; ++i) chains[i] = &free_[free_.size() - 1 - i]->chain;
  const size_t popped = port_->Pop(std::span(chains).first(wanted));
  std::array<DataRequest*, kBatch> requests;
  for (size_t i = 0; i < popped; ++i) {
    requests[i] = free_.back();
    free_.pop_back();
  }
  for (size_t i = 0; i < popped; ++i) {
    if (const auto status = Prepare(*requests[i], context, port_->framing())) {
      Finish(*requests[i], *status);
    } else {
      ops.push_back(requests[i]);
    }
  }
  return popped;
}

void DataQueue::Finish(DataRequest& request, crypto::Status status) {
  QueueStats& stats = port_->stats();
  if (status == crypto::Status::kOk) {
    stats.bytes += request.len;
  } else {
    ++stats.errors;
  }
  port_->Finish(request.chain.head(), WriteResult(request, status));
  request.chain.Clear();
  ClearList(request.src_segments);
  ClearList(request.dst_segments);
  ClearList(request.aad_segments);
  if (request.own_lane_session) [[unlikely]] {
    request.own_lane_session.reset();
    request.own_session.reset();
  }
  free_.push_back(&request);
}

}  // namespace sealane::device
