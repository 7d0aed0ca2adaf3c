// SPDX-License-Identifier: Apache-2.0
//
// SessionTable: the device's sessions, made and closed by the control queue or by vhost-user
// messages, used by workers. An id names a slot and how often that slot was used before, so it is
// never given out twice in a device's life.
//
// Create, Close, CloseAll, Acquire and TakeClosed lock; any thread. IsOpen is one atomic load: it
// is all that a request costs here. A worker keeps what it acquired (lane_session_cache.h) until it
// learns from TakeClosed that it was closed.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <vector>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/session.h"
#include "sealane/crypto/status.h"

namespace sealane::device {

class SessionTable {
 public:
  static constexpr uint32_t kMaxSessions = uint32_t{1} << 20;
  static constexpr unsigned kMaxHolders = 64;

  // 1 to kMaxSessions.
  explicit SessionTable(uint32_t max_sessions);

  // Workers that keep sessions. All are registered before the first session is made; the waker is
  // called, from the closing thread, when TakeClosed has something new. Returns the holder's
  // number.
  unsigned AddHolder(crypto::Waker& waker);

  // The new session's id, greater than 0 and less than 2^63; kNoSpace when the table is full.
  std::expected<uint64_t, crypto::Status> Create(std::shared_ptr<const crypto::Session> session);

  // False if there is no such session.
  bool Close(uint64_t id);
  void CloseAll();

  bool IsOpen(uint64_t id) const {
    // Acquire: pairs with the release in Create. A close that happens meanwhile may be seen late;
    // the request is then served as if it had come before the close.
    return id != 0 && slots_[SlotOf(id)].id.load(std::memory_order_acquire) == id;
  }

  // The session, noted as kept by `holder`; null if there is no such session.
  std::shared_ptr<const crypto::Session> Acquire(uint64_t id, unsigned holder);

  // Whether TakeClosed has something; one atomic load.
  bool HasClosed(unsigned holder) const {
    // Acquire: pairs with the release in Close.
    return holders_[holder].has_closed.load(std::memory_order_acquire);
  }
  // Replaces `ids` by those closed since the last call that `holder` had acquired. Its memory is
  // kept for the next ones.
  void TakeClosed(unsigned holder, std::vector<uint64_t>& ids);

  uint32_t SlotOf(uint64_t id) const { return static_cast<uint32_t>(id) & (num_slots_ - 1); }
  // Slots are numbered from 0; there are at most this many.
  uint32_t num_slots() const { return num_slots_; }
  uint32_t size() const;

 private:
  struct Slot {
    std::atomic<uint64_t> id{0};  // 0: free
    uint64_t last_id = 0;
    uint64_t holders = 0;  // bit i: holder i acquired it
    std::shared_ptr<const crypto::Session> session;
  };
  struct Holder {
    crypto::Waker* waker = nullptr;
    std::atomic<bool> has_closed{false};
    std::vector<uint64_t> closed;
  };

  // Frees the slot, lock held; what must be woken is added to `wake`. Returns the session, to be
  // dropped unlocked.
  std::shared_ptr<const crypto::Session> CloseLocked(uint32_t slot_index, uint64_t& wake);
  void WakeHolders(uint64_t wake);
  uint32_t TakeFree();
  void PutFree(uint32_t slot_index);

  const uint32_t max_sessions_;
  const uint32_t num_slots_;  // a power of two, so that an id gives its slot by masking
  std::vector<Slot> slots_;
  std::vector<Holder> holders_;
  unsigned num_holders_ = 0;
  mutable std::mutex mutex_;
  // Free slots, first in, first out, so that a slot rests before it is used again: num_free_ of
  // this ring from first_free_ on.
  std::vector<uint32_t> free_;
  uint32_t first_free_ = 0;
  uint32_t num_free_ = 0;
};

}  // namespace sealane::device
