// SPDX-License-Identifier: Apache-2.0
//
// LaneSessionCache: the sessions that one worker has made ready for its lane. It holds the only
// reference that a worker needs, so that no reference count is touched per request. Belongs to the
// worker's thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <vector>

#include "sealane/crypto/lane.h"
#include "sealane/device/session_table.h"

namespace sealane::device {

class LaneSessionCache {
 public:
  struct Entry {
    uint64_t id = 0;  // 0: empty
    std::shared_ptr<const crypto::Session> session;
    std::unique_ptr<crypto::LaneSession> lane_session;
  };

  // Registers with the table; the waker wakes this worker's thread.
  LaneSessionCache(SessionTable& table, crypto::Lane& lane, crypto::Waker& waker);

  // The entry of an open session, made ready at its first use. kInvalidSession: no such session.
  // kError: the lane has no resources for it. The entry stays valid until DropClosed.
  std::expected<Entry*, crypto::Status> Find(uint64_t id);

  // Lets go of closed sessions, which wipes their keys. Call when the lane has nothing in flight.
  void DropClosed();

  bool has_closed() const { return !retired_.empty() || table_.HasClosed(holder_); }

 private:
  SessionTable& table_;
  crypto::Lane& lane_;
  unsigned holder_;
  std::vector<Entry> entries_;  // by slot
  std::vector<Entry> retired_;  // closed, perhaps still in flight
  std::vector<uint64_t> closed_ids_;
};

}  // namespace sealane::device
