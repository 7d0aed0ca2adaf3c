// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/lane_session_cache.h"

#include <utility>

namespace sealane::device {

using crypto::Status;

LaneSessionCache::LaneSessionCache(SessionTable& table, crypto::Lane& lane, crypto::Waker& waker)
    : table_(table), lane_(lane), holder_(table.AddHolder(waker)), entries_(table.num_slots()) {}

std::expected<LaneSessionCache::Entry*, Status> LaneSessionCache::Find(uint64_t id) {
  if (!table_.IsOpen(id)) return std::unexpected(Status::kInvalidSession);
  Entry& entry = entries_[table_.SlotOf(id)];
  if (entry.id == id) return &entry;
  auto session = table_.Acquire(id, holder_);
  if (!session) return std::unexpected(Status::kInvalidSession);
  auto lane_session = lane_.OpenSession(session);
  if (!lane_session.has_value()) return std::unexpected(Status::kError);
  if (entry.id != 0) retired_.push_back(std::move(entry));
  entry = Entry{.id = id, .session = std::move(session), .lane_session = std::move(*lane_session)};
  return &entry;
}

void LaneSessionCache::DropClosed() {
  retired_.clear();
  if (!table_.HasClosed(holder_)) return;
  table_.TakeClosed(holder_, closed_ids_);
  for (const uint64_t id : closed_ids_) {
    Entry& entry = entries_[table_.SlotOf(id)];
    if (entry.id == id) entry = Entry{};
  }
}

}  // namespace sealane::device
