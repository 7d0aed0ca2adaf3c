// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/ring_control_path.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

constexpr uint32_t kQueueSize = 256;
// Of one batch in a row, when several wait for room.
constexpr size_t kTurn = 16;
constexpr size_t kUsedAtOnce = 64;

}  // namespace

Result<std::unique_ptr<RingControlPath>> RingControlPath::Create(Transport& transport) {
  const uint32_t size = std::min(kQueueSize, transport.max_queue_size());
  const size_t num_slots = size / ControlSlots::kMaxDescriptors;
  if (num_slots == 0) return Error{ErrorCode::kUnsupported, "the control queue is too small"};
  const auto index = static_cast<uint16_t>(transport.config().max_data_queues);
  SL_ASSIGN_OR_RETURN(QueueMemory queue, CreateQueue(transport, size));
  SL_ASSIGN_OR_RETURN(ControlSlots slots, ControlSlots::Create(transport.memory(), num_slots));
  SL_RETURN_IF_ERROR(transport.StartQueue(index, queue.location));
  return std::unique_ptr<RingControlPath>(
      new RingControlPath(transport, index, std::move(queue), std::move(slots), num_slots));
}

RingControlPath::RingControlPath(Transport& transport, uint16_t index, QueueMemory queue,
                                 ControlSlots slots, size_t num_slots)
    : transport_(transport),
      index_(index),
      revision_1_(wire::HasFeature(transport.features(), wire::VIRTIO_CRYPTO_F_REVISION_1)),
      ring_memory_(std::move(queue.memory)),
      queue_(std::move(queue.queue)),
      memory_(std::move(slots)),
      slots_(num_slots),
      free_slots_(num_slots),
      slot_of_head_(queue_.size()),
      lead_(*this) {
  std::iota(free_slots_.rbegin(), free_slots_.rend(), size_t{0});
  finished_.reserve(num_slots);
}

RingControlPath::~RingControlPath() {
  Shutdown();
  Poll();
  for (size_t slot = 0; slot < slots_.size(); ++slot) memory_.Clear(slot);
}

void RingControlPath::Run(std::span<SessionOp> ops, Clock::time_point deadline) {
  if (ops.empty()) return;
  SessionBatch batch(ops);
  SessionBatch* done = nullptr;
  bool kick = false;
  {
    const Lock lock(mutex_);
    for (SessionOp& op : ops) op.status = Status::kPending;
    waiting_.push_back(&batch);
    kick = Feed(done);
  }
  if (kick) transport_.Kick(index_);
  Tell(done);
  lead_.Await(batch.waiter, deadline);
  if (!batch.waiter.done()) Abandon(batch);
}

size_t RingControlPath::Start(std::span<SessionOp* const> ops) {
  SessionBatch* done = nullptr;
  size_t num = 0;
  bool kick = false;
  {
    const Lock lock(mutex_);
    bool any = false;
    for (; num < ops.size() && (dead_ || !free_slots_.empty()); ++num) {
      ops[num]->status = Status::kPending;
      ++num_started_;
      any |= Send(*ops[num], nullptr, done);
    }
    if (any) {
      queue_.Publish();
      kick = queue_.NeedsKick();
    }
  }
  if (kick) transport_.Kick(index_);
  Tell(done);
  return num;
}

size_t RingControlPath::Poll() {
  lead_.LookOnce();
  std::vector<SessionOp*> finished;
  {
    const Lock lock(mutex_);
    finished.swap(finished_);
  }
  for (SessionOp* const op : finished) {
    if (op->on_done != nullptr) op->on_done(*op);
  }
  return finished.size();
}

bool RingControlPath::Wait(Clock::time_point deadline) {
  SessionBatch batch({});
  {
    const Lock lock(mutex_);
    if (!finished_.empty()) return true;
    if (num_started_ == 0) return false;
    batch.num_left = 1;
    poller_ = &batch;
  }
  lead_.Await(batch.waiter, deadline);
  if (!batch.waiter.done()) Abandon(batch);
  const Lock lock(mutex_);
  return !finished_.empty();
}

void RingControlPath::Shutdown() {
  SessionBatch* done = nullptr;
  {
    const Lock lock(mutex_);
    if (std::exchange(shut_down_, true)) return;
    FailAll({Status::kCanceled, {ErrorCode::kBroken, "the driver was shut down"}}, done);
  }
  Tell(done);
  // Whoever has the lead sleeps for the device, which may never ring again.
  transport_.interrupt(index_).Signal();
  // A device that does not confirm can only disturb memory that nobody else uses any more.
  static_cast<void>(transport_.StopQueue(index_));
}

// With the lead.

void RingControlPath::SleepForDevice(Clock::time_point deadline) {
  if (queue_.HasUsed()) return;
  SleepForInterrupt(queue_, transport_, index_, deadline);
  if (queue_.HasUsed() || !transport_.IsBroken(index_)) return;
  SessionBatch* done = nullptr;
  {
    const Lock lock(mutex_);
    FailAll({Status::kBroken,
             {ErrorCode::kBroken, "the device gave the control queue up or went away"}},
            done);
  }
  Tell(done);
}

void RingControlPath::TakeUsed() {
  if (!queue_.HasUsed()) return;
  SessionBatch* done = nullptr;
  bool kick = false;
  {
    const Lock lock(mutex_);
    std::array<ring::driver::Used, kUsedAtOnce> used;
    while (const size_t num = queue_.Poll(used)) {
      for (const auto& entry : std::span(used).first(num)) {
        TakeAnswer(slot_of_head_[entry.head], entry.len, done);
      }
    }
    if (queue_.broken()) FailAll({Status::kBroken, *queue_.error()}, done);
    kick = Feed(done);
  }
  if (kick) transport_.Kick(index_);
  Tell(done);
}

// The deadline has passed.
void RingControlPath::Abandon(SessionBatch& batch) {
  Lock lock(mutex_);
  if (batch.num_left == 0) {  // done just now; whoever took the last answer is about to say so
    lock.unlock();
    while (!batch.waiter.done()) std::this_thread::yield();
    return;
  }
  for (Slot& slot : slots_) {
    if (slot.batch == &batch) slot.op = nullptr;
    if (slot.batch == &batch) slot.batch = nullptr;
  }
  if (poller_ == &batch) poller_ = nullptr;
  std::erase(waiting_, &batch);
  for (SessionOp& op : batch.ops) {
    if (op.status != Status::kPending) continue;
    op.status = Status::kTimeout;
    op.error = {ErrorCode::kTimeout, "the device did not answer on the control queue"};
  }
}

// With the lock.

// Sends what waits for room. Whether the device wants to be kicked for it.
bool RingControlPath::Feed(SessionBatch*& done) {
  bool any = SendClosesOfOrphans();
  while (!waiting_.empty() && (dead_ || !free_slots_.empty())) {
    SessionBatch& batch = *waiting_.front();
    waiting_.pop_front();
    for (size_t i = 0; i < kTurn && batch.num_sent < batch.ops.size(); ++i) {
      if (!dead_ && free_slots_.empty()) break;
      any |= Send(batch.ops[batch.num_sent++], &batch, done);
    }
    if (batch.num_sent < batch.ops.size()) waiting_.push_back(&batch);
  }
  if (!any) return false;
  queue_.Publish();
  return queue_.NeedsKick();
}

// Whether it is on the ring; if not, it is done.
bool RingControlPath::Send(SessionOp& op, SessionBatch* batch, SessionBatch*& done) {
  if (dead_) {
    Finish(op, batch, *dead_, done);
    return false;
  }
  const bool creates = op.kind == SessionOp::Kind::kCreate;
  const auto request = creates ? EncodeCreate(op.params, revision_1_)
                               : EncodeDestroy(op.service, op.session, revision_1_);
  if (!request) {
    Finish(op, batch,
           Failure{Status::kInvalidArgument, {ErrorCode::kInvalid, "impossible key length"}}, done);
    return false;
  }
  const size_t slot = free_slots_.back();
  const auto chain = memory_.Fill(slot, *request, creates);
  if (!chain) {
    Finish(op, batch, Failure{Status::kUnavailable, chain.error()}, done);
    return false;
  }
  free_slots_.pop_back();
  const Service service = creates ? ServiceOf(op.params) : op.service;
  slots_[slot] = {.taken = true, .op = &op, .batch = batch, .service = service};
  Put(slot, *chain);
  return true;
}

// Sessions that nobody knows, since they were made after their callers had given up.
bool RingControlPath::SendClosesOfOrphans() {
  bool any = false;
  while (!orphans_.empty() && !free_slots_.empty() && !dead_) {
    const auto [service, session] = orphans_.back();
    const size_t slot = free_slots_.back();
    const auto chain = memory_.Fill(slot, EncodeDestroy(service, session, revision_1_), false);
    if (!chain) break;
    orphans_.pop_back();
    free_slots_.pop_back();
    slots_[slot] = {.taken = true, .op = nullptr, .batch = nullptr, .service = service};
    Put(slot, *chain);
    any = true;
  }
  return any;
}

void RingControlPath::Put(size_t slot, const ControlSlots::Chain& chain) {
  // There are as many slots as the ring has room for.
  const auto head = queue_.Add(std::span(&chain.readable, 1), std::span(&chain.writable, 1));
  SL_CHECK(head.has_value());
  slot_of_head_[*head] = slot;
}

void RingControlPath::TakeAnswer(size_t index, uint32_t used_len, SessionBatch*& done) {
  const auto answer = memory_.ReadAnswer(index, used_len);
  const bool creates = memory_.creates(index);
  const Slot slot = slots_[index];
  FreeSlot(index);
  if (slot.op != nullptr) {
    Finish(*slot.op, slot.batch, answer, done);
  } else if (creates && answer) {
    orphans_.emplace_back(slot.service, *answer);
  }
}

void RingControlPath::Finish(SessionOp& op, SessionBatch* batch, const Outcome<SessionId>& answer,
                             SessionBatch*& done) {
  op.status = answer ? Status::kOk : answer.error().status;
  if (!answer) op.error = answer.error().error;
  if (answer && op.kind == SessionOp::Kind::kCreate) op.session = *answer;
  if (batch == nullptr) {
    finished_.push_back(&op);
    --num_started_;
    batch = std::exchange(poller_, nullptr);
    if (batch == nullptr) return;
  }
  if (--batch->num_left != 0) return;
  batch->next_done = done;
  done = batch;
}

// For good. The slots stay taken: the device may still write to them.
void RingControlPath::FailAll(const Failure& failure, SessionBatch*& done) {
  if (!dead_) dead_ = failure;
  for (Slot& slot : slots_) {
    SessionOp* const op = std::exchange(slot.op, nullptr);
    SessionBatch* const batch = std::exchange(slot.batch, nullptr);
    if (op != nullptr) Finish(*op, batch, failure, done);
  }
  Feed(done);  // ends what was waiting
}

void RingControlPath::FreeSlot(size_t slot) {
  memory_.Clear(slot);
  slots_[slot] = Slot{};
  free_slots_.push_back(slot);
}

// Without the lock: a batch may be gone right after.
void RingControlPath::Tell(SessionBatch* done) {
  while (done != nullptr) std::exchange(done, done->next_done)->waiter.SetDone();
}

}  // namespace sealane::driver
