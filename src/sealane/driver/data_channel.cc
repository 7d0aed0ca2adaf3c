// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/data_channel.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/driver/spin.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::driver {
namespace {

using Clock = std::chrono::steady_clock;

// How many finished chains are taken from the ring at once.
constexpr size_t kBatch = 32;

Result<void> CheckOptions(const Options& options, const Transport& transport) {
  if (!wire::IsValidQueueSize(options.queue_size) ||
      options.queue_size > transport.max_queue_size()) {
    return Error{ErrorCode::kInvalid, "queue size is not a power of two that the transport takes"};
  }
  if (options.depth == 0) return Error{ErrorCode::kInvalid, "depth is 0"};
  if (options.max_segments == 0 || options.max_segments > Options::kMaxSegments) {
    return Error{ErrorCode::kInvalid, "max_segments is out of range"};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<DataChannel>> DataChannel::Create(Transport& transport, uint16_t index,
                                                         const Options& options) {
  SL_RETURN_IF_ERROR(CheckOptions(options, transport));
  const SlotPool::Config config{
      .num_slots = std::min(options.depth, options.queue_size),
      .max_payload = options.max_payload,
      .max_segments = options.max_segments,
      .max_size = transport.config().max_size,
      .indirect = wire::HasFeature(transport.features(), wire::VIRTIO_RING_F_INDIRECT_DESC),
      .revision_1 = wire::HasFeature(transport.features(), wire::VIRTIO_CRYPTO_F_REVISION_1),
  };
  SL_ASSIGN_OR_RETURN(SlotPool slots, SlotPool::Create(transport.memory(), config));
  SL_ASSIGN_OR_RETURN(QueueMemory queue, CreateQueue(transport, options.queue_size));
  SL_RETURN_IF_ERROR(transport.StartQueue(index, queue.location));
  return std::unique_ptr<DataChannel>(new DataChannel(transport, index, options, std::move(queue),
                                                      std::move(slots), config.indirect));
}

DataChannel::DataChannel(Transport& transport, uint16_t index, const Options& options,
                         QueueMemory queue, SlotPool slots, bool indirect)
    : transport_(transport),
      index_(index),
      spin_(options.spin),
      indirect_(indirect),
      ring_memory_(std::move(queue.memory)),
      queue_(std::move(queue.queue)),
      slots_(std::move(slots)),
      slot_of_head_(options.queue_size),
      in_slot_(slots_.num_slots()) {
  finished_.reserve(slots_.num_slots());
}

DataChannel::~DataChannel() {
  Shutdown();
  std::array<Request*, kBatch> done;
  while (const size_t num = Poll(done)) {
    for (Request* request : std::span(done).first(num)) {
      if (request->on_done != nullptr) request->on_done(*request);
    }
  }
}

size_t DataChannel::Submit(std::span<Request* const> requests) {
  if (stopped_ || error_) return 0;
  size_t num = 0;
  while (num < requests.size() && in_flight() < depth() && SubmitOne(*requests[num])) ++num;
  if (num == 0) return 0;
  queue_.Publish();
  if (queue_.NeedsKick()) {
    ++num_kicks_;
    transport_.Kick(index_);
  }
  return num;
}

bool DataChannel::SubmitOne(Request& request) {
  const auto slot = slots_.Take();
  if (!slot) return false;
  const auto prepared = slots_.Prepare(*slot, request);
  const bool fits = prepared && (indirect_ || prepared->num_descriptors <= queue_.size());
  if (!fits) {
    slots_.GiveBack(*slot);
    request.status = Status::kInvalidArgument;
    finished_.push_back(&request);
    return true;
  }
  const auto head = indirect_ ? queue_.AddIndirect(prepared->table, prepared->num_descriptors,
                                                   prepared->writable_len)
                              : queue_.Add(slots_.chain().readable, slots_.chain().writable);
  if (!head) {
    slots_.GiveBack(*slot);
    return false;
  }
  request.status = Status::kPending;
  slot_of_head_[*head] = *slot;
  in_slot_[*slot] = &request;
  ++num_in_flight_;
  return true;
}

size_t DataChannel::Poll(std::span<Request*> done) {
  size_t num = TakeFinished(done);
  num += Reap(done.subspan(num));
  return num + TakeFinished(done.subspan(num));  // what a broken ring leaves behind
}

size_t DataChannel::TakeFinished(std::span<Request*> done) {
  if (finished_.empty()) return 0;
  const size_t num = std::min(done.size(), finished_.size());
  const auto end = finished_.begin() + static_cast<std::ptrdiff_t>(num);
  std::copy(finished_.begin(), end, done.begin());
  finished_.erase(finished_.begin(), end);
  return num;
}

// Fills `done` from the ring. On a broken ring the rest of what was in flight goes to finished_.
size_t DataChannel::Reap(std::span<Request*> done) {
  std::array<ring::driver::Used, kBatch> used;
  size_t total = 0;
  while (total < done.size()) {
    const size_t room = std::min(done.size() - total, used.size());
    const size_t num = queue_.Poll(std::span(used).first(room));
    // In the reverse order: the next batch then finds the slots in the order of this one, and a
    // caller who goes round the same requests finds each in a slot that is ready for it.
    for (const auto& entry : std::span(used).first(num) | std::views::reverse) {
      slots_.GiveBack(slot_of_head_[entry.head]);
    }
    for (const auto& entry : std::span(used).first(num)) {
      const uint32_t slot = slot_of_head_[entry.head];
      Request* const request = std::exchange(in_slot_[slot], nullptr);
      if (request == nullptr) continue;  // its caller has given up
      request->status = slots_.Finish(slot, entry.len, *request);
      --num_in_flight_;
      done[total++] = request;
    }
    if (num < room) break;
  }
  if (queue_.broken() && !error_) Break(*queue_.error());
  return total;
}

void DataChannel::ReapIntoFinished() {
  std::array<Request*, kBatch> done;
  while (const size_t num = Reap(done)) {
    finished_.insert(finished_.end(), done.begin(),
                     done.begin() + static_cast<std::ptrdiff_t>(num));
  }
}

void DataChannel::Break(const Error& error) {
  error_ = error;
  FinishAll(Status::kBroken);
}

// The slots stay taken: the device may still write to them.
void DataChannel::FinishAll(Status status) {
  for (Request*& in_slot : in_slot_) {
    Request* const request = std::exchange(in_slot, nullptr);
    if (request == nullptr) continue;
    request->status = status;
    finished_.push_back(request);
  }
  num_in_flight_ = 0;
}

size_t DataChannel::Dispatch(size_t max) {
  std::array<Request*, kBatch> done;
  size_t total = 0;
  while (total < max) {
    const size_t num = Poll(std::span(done).first(std::min(max - total, done.size())));
    if (num == 0) break;
    total += num;
    for (Request* request : std::span(done).first(num)) {
      SL_CHECK(request->on_done != nullptr);
      request->on_done(*request);
    }
  }
  return total;
}

bool DataChannel::Wait(std::chrono::nanoseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    if (queue_.HasUsed()) ReapIntoFinished();
    if (!finished_.empty()) return true;
    if (num_in_flight_ == 0 || Clock::now() >= deadline) return false;
    WaitForDevice(deadline);
    CheckDevice();
  }
}

void DataChannel::WaitForDevice(Clock::time_point deadline) {
  const auto has_used = [this] { return queue_.HasUsed(); };
  if (SpinUntil(has_used, std::min(deadline, Clock::now() + spin_))) return;
  SleepForRing(queue_, transport_, index_, deadline);
}

void DataChannel::CheckDevice() {
  if (error_ || queue_.HasUsed() || !transport_.IsBroken(index_)) return;
  Break(Error{ErrorCode::kBroken, "the device gave the queue up or went away"});
}

Status DataChannel::Call(Request& request, std::chrono::nanoseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  Request* const wanted = &request;
  ReapIntoFinished();  // frees slots whose callers have given up
  if (Submit({&wanted, 1}) == 0) {
    request.status = Status::kUnavailable;
    return request.status;
  }
  while (true) {
    ReapIntoFinished();
    const auto it = std::ranges::find(finished_, wanted);
    if (it != finished_.end()) {
      finished_.erase(it);
      return request.status;
    }
    if (Clock::now() >= deadline) break;
    WaitForDevice(deadline);
    CheckDevice();
  }
  Abandon(request);
  return request.status;
}

void DataChannel::Abandon(Request& request) {
  const auto finished = std::ranges::find(finished_, &request);
  if (finished != finished_.end()) {
    finished_.erase(finished);
    return;
  }
  const auto in_slot = std::ranges::find(in_slot_, &request);
  SL_CHECK(in_slot != in_slot_.end());
  *in_slot = nullptr;  // the slot stays taken until the device returns it
  --num_in_flight_;
  request.status = Status::kTimeout;
}

void DataChannel::Shutdown() {
  if (std::exchange(stopped_, true)) return;
  const auto stopped = transport_.StopQueue(index_);
  ReapIntoFinished();
  if (!stopped && !error_) error_ = stopped.error();
  FinishAll(Status::kCanceled);
}

}  // namespace sealane::driver
