// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/ring_control_path.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sealane/driver/control_request.h"
#include "sealane/driver/spin.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::driver {
namespace {

constexpr uint32_t kQueueSize = 64;
constexpr uint32_t kDescriptorsPerRequest = 3;  // fixed part, key, result
constexpr size_t kMaxSlots = kQueueSize / kDescriptorsPerRequest;

// A slot's memory. The result has a line of its own: the device writes there.
constexpr size_t kKeyOffset = sizeof(wire::virtio_crypto_sym_create_ctrl);
constexpr size_t kResultOffset = 192;
constexpr size_t kSlotSize = 256;
static_assert(kKeyOffset + kMaxKeyLen <= kResultOffset);

// Not an id or a status that exists: what a result holds before the device writes it.
constexpr uint8_t kUnwritten = 0xff;

// A lone caller's answer is often there before a sleep would have begun.
constexpr std::chrono::microseconds kSpin{5};

constexpr uint32_t ResultLen(bool creates) {
  return creates ? sizeof(wire::virtio_crypto_session_input) : 1;
}

}  // namespace

Result<std::unique_ptr<RingControlPath>> RingControlPath::Create(
    Transport& transport, std::chrono::milliseconds timeout) {
  const uint32_t size = std::min(kQueueSize, transport.max_queue_size());
  if (size < kDescriptorsPerRequest) {
    return Error{ErrorCode::kUnsupported, "the control queue is too small"};
  }
  const auto index = static_cast<uint16_t>(transport.config().max_data_queues);
  SL_ASSIGN_OR_RETURN(QueueMemory queue, CreateQueue(transport, size));
  SL_ASSIGN_OR_RETURN(DmaBuffer slots, transport.memory()->Allocate(kMaxSlots * kSlotSize));
  SL_RETURN_IF_ERROR(transport.StartQueue(index, queue.location));
  return std::unique_ptr<RingControlPath>(
      new RingControlPath(transport, index, timeout, std::move(queue), std::move(slots)));
}

RingControlPath::RingControlPath(Transport& transport, uint16_t index,
                                 std::chrono::milliseconds timeout, QueueMemory queue,
                                 DmaBuffer slot_memory)
    : transport_(transport),
      index_(index),
      timeout_(timeout),
      ring_memory_(std::move(queue.memory)),
      queue_(std::move(queue.queue)),
      slot_memory_(std::move(slot_memory)),
      slots_(queue_.size() / kDescriptorsPerRequest),
      slot_of_head_(queue_.size()) {}

RingControlPath::~RingControlPath() {
  // A device that does not confirm can only disturb memory that nobody else uses any more.
  static_cast<void>(transport_.StopQueue(index_));
  for (size_t slot = 0; slot < slots_.size(); ++slot) Recycle(slot);
}

Outcome<SessionId> RingControlPath::CreateSession(const CipherSessionParams& params) {
  if (params.key.empty() || params.key.size() > kMaxKeyLen) {
    return Failure{Status::kInvalidArgument, {ErrorCode::kInvalid, "impossible key length"}};
  }
  return Exchange(EncodeCreateCipher(params), params.key);
}

Outcome<void> RingControlPath::CloseSession(SessionId session) {
  const auto answer = Exchange(EncodeDestroyCipher(session), {});
  if (!answer) return answer.error();
  return {};
}

Outcome<SessionId> RingControlPath::Exchange(std::span<const uint8_t> request,
                                             std::span<const uint8_t> key) {
  const auto deadline = Clock::now() + timeout_;
  constexpr Error kNoAnswer{ErrorCode::kTimeout, "the device did not answer on the control queue"};
  Lock lock(mutex_);
  const auto slot = TakeSlot(lock, deadline);
  if (error_) return Failure{Status::kBroken, *error_};
  if (!slot || !Send(*slot, request, key)) return Failure{Status::kTimeout, kNoAnswer};
  if (!AwaitDone(lock, *slot, deadline)) {
    slots_[*slot].state = State::kAbandoned;
    if (error_) return Failure{Status::kBroken, *error_};
    return Failure{Status::kTimeout, kNoAnswer};
  }
  auto answer = ReadAnswer(*slot);
  Recycle(*slot);
  changed_.notify_all();
  return answer;
}

// A slot in state kWaiting, or nothing: the path broke or the deadline passed.
std::optional<size_t> RingControlPath::TakeSlot(Lock& lock, Clock::time_point deadline) {
  while (!error_) {
    const auto free = std::ranges::find(slots_, State::kFree, &Slot::state);
    if (free != slots_.end()) {
      free->state = State::kWaiting;
      return static_cast<size_t>(free - slots_.begin());
    }
    if (Clock::now() >= deadline) return std::nullopt;
    // With every slot abandoned nobody would look at the ring.
    if (leading_) {
      changed_.wait_until(lock, deadline);
    } else {
      LeadOnce(lock, deadline);
    }
  }
  return std::nullopt;
}

bool RingControlPath::Send(size_t slot, std::span<const uint8_t> request,
                           std::span<const uint8_t> key) {
  const mem::GuestRange memory = MemoryOf(slot);
  memory.CopyFrom(0, request);
  memory.CopyFrom(kKeyOffset, key);
  slots_[slot].creates = !key.empty();
  const uint32_t result_len = ResultLen(slots_[slot].creates);
  std::array<uint8_t, sizeof(wire::virtio_crypto_session_input)> unwritten;
  unwritten.fill(kUnwritten);
  memory.CopyFrom(kResultOffset, unwritten);

  const uint64_t addr = Raw(slot_memory_.addr()) + slot * kSlotSize;
  using ring::driver::Buffer;
  const std::array<Buffer, 2> readable{
      Buffer{mem::GuestAddr{addr}, static_cast<uint32_t>(request.size())},
      Buffer{mem::GuestAddr{addr + kKeyOffset}, static_cast<uint32_t>(key.size())}};
  const Buffer result{mem::GuestAddr{addr + kResultOffset}, result_len};
  const auto head =
      queue_.Add(std::span(readable).first(key.empty() ? 1 : 2), std::span(&result, 1));
  if (!head) {
    Recycle(slot);
    return false;
  }
  slot_of_head_[*head] = slot;
  queue_.Publish();
  if (queue_.NeedsKick()) transport_.Kick(index_);
  return true;
}

bool RingControlPath::AwaitDone(Lock& lock, size_t slot, Clock::time_point deadline) {
  while (slots_[slot].state == State::kWaiting && !error_) {
    if (leading_) {
      changed_.wait_until(lock, deadline);
    } else {
      LeadOnce(lock, deadline);
    }
    if (Clock::now() >= deadline) break;
  }
  return slots_[slot].state == State::kDone;
}

// Waits for the device without the lock, then takes what is finished and passes the lead on.
void RingControlPath::LeadOnce(Lock& lock, Clock::time_point deadline) {
  leading_ = true;
  lock.unlock();
  const auto has_used = [this] { return queue_.HasUsed(); };
  if (!SpinUntil(has_used, std::min(deadline, Clock::now() + kSpin))) {
    SleepForRing(queue_, transport_, index_, deadline);
  }
  const bool gone = !queue_.HasUsed() && transport_.IsBroken(index_);
  lock.lock();
  leading_ = false;
  if (gone) error_ = Error{ErrorCode::kBroken, "the device gave the control queue up or went away"};
  Drain();
  changed_.notify_all();
}

void RingControlPath::Drain() {
  std::array<ring::driver::Used, kMaxSlots> used;
  const size_t num = queue_.Poll(used);
  std::array<bool, kMaxSlots> late{};
  for (const ring::driver::Used& entry : std::span(used).first(num)) {
    const size_t slot = slot_of_head_[entry.head];
    slots_[slot].used_len = entry.len;
    late[slot] = slots_[slot].state == State::kAbandoned;
    slots_[slot].state = State::kDone;
  }
  if (queue_.broken() && !error_) error_ = queue_.error();
  // Only now: it adds to the ring, which takes heads that `used` still names.
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (late[slot]) DropLate(slot);
  }
}

void RingControlPath::DropLate(size_t slot) {
  const auto late =
      slots_[slot].creates ? ReadAnswer(slot) : Outcome<SessionId>(Failure{Status::kTimeout, {}});
  Recycle(slot);
  if (!late) return;
  slots_[slot].state = State::kWaiting;
  if (Send(slot, EncodeDestroyCipher(*late), {})) slots_[slot].state = State::kAbandoned;
}

Outcome<SessionId> RingControlPath::ReadAnswer(size_t slot) const {
  const bool creates = slots_[slot].creates;
  constexpr Error kBadAnswer{ErrorCode::kBroken, "the device's control answer cannot be right"};
  if (slots_[slot].used_len != ResultLen(creates)) return Failure{Status::kBadReply, kBadAnswer};
  const mem::GuestRange memory = MemoryOf(slot);
  wire::virtio_crypto_session_input input{};
  if (creates) {
    input = memory.Read<wire::virtio_crypto_session_input>(kResultOffset);
  } else {
    input.status.set(memory.Read<uint8_t>(kResultOffset));
  }
  const Status status = StatusFromWire(input.status.get());
  if (status == Status::kOk) return SessionId{input.session_id.get()};
  return Failure{status, status == Status::kBadReply ? kBadAnswer : Error{}};
}

// Wipes the key and frees the slot.
void RingControlPath::Recycle(size_t slot) {
  constexpr std::array<uint8_t, kMaxKeyLen> kZeros{};
  MemoryOf(slot).CopyFrom(kKeyOffset, kZeros);
  slots_[slot] = Slot{};
}

mem::GuestRange RingControlPath::MemoryOf(size_t slot) const {
  return slot_memory_.range().Sub(slot * kSlotSize, kSlotSize);
}

}  // namespace sealane::driver
