// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/serial_target.h"

#include <algorithm>
#include <utility>

#include "sealane/crypto/payload.h"

namespace sealane::crypto {
namespace {

// What the buffer keeps between operations.
constexpr size_t kKeptBuffer = size_t{256} << 10;

// Whether the lists have the totals that the op says, and those are bounded.
bool HasItsLengths(const Op& op) {
  return op.len <= kMaxPayload && op.aad_len <= kMaxPayload && op.out_len <= kMaxPayload &&
         HaveTheirTotals(op);
}

}  // namespace

class SerialTarget::Handle final : public LaneSession {
 public:
  Handle(SerialTarget& target, std::unique_ptr<SerialSession> session)
      : target_(target), session_(std::move(session)) {}
  ~Handle() override { target_.Retire(std::move(session_)); }
  SerialSession* session() const { return session_.get(); }

 private:
  SerialTarget& target_;
  std::unique_ptr<SerialSession> session_;
};

Result<void> SerialTarget::Launch(EngineQueue& queue) {
  queue_ = &queue;
  std::promise<Result<void>> opened;
  thread_ = std::thread([this, &opened] { Run(opened); });
  return opened.get_future().get();
}

void SerialTarget::Stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

StartResult SerialTarget::Start(EngineJob& /*job*/, Ticket ticket) {
  {
    const std::lock_guard lock(mutex_);
    tickets_.push_back(ticket);
  }
  changed_.notify_one();
  return {};
}

Result<std::unique_ptr<LaneSession>> SerialTarget::OpenSession(
    std::shared_ptr<const Session> session) {
  auto made = std::make_unique<SerialSession>();
  made->session = std::move(session);
  return std::make_unique<Handle>(*this, std::move(made));
}

void SerialTarget::Retire(std::unique_ptr<SerialSession> session) {
  {
    const std::lock_guard lock(mutex_);
    retired_.push_back(std::move(session));
  }
  changed_.notify_one();
}

void SerialTarget::Wake() {
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
  }
  changed_.notify_one();
}

void SerialTarget::Run(std::promise<Result<void>>& opened) {
  auto lane = inner_.OpenLane(*this);
  if (!lane.has_value()) return opened.set_value(lane.error());
  lane_ = std::move(*lane);
  opened.set_value({});
  while (const auto ticket = Next()) Serve(*ticket);
  CloseLane();
}

std::optional<Ticket> SerialTarget::Next() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (!retired_.empty()) {
      auto retired = std::exchange(retired_, {});
      lock.unlock();
      retired.clear();
      lock.lock();
    } else if (!tickets_.empty()) {
      const Ticket ticket = tickets_.front();
      tickets_.erase(tickets_.begin());
      return ticket;
    } else {
      changed_.wait(lock);
    }
  }
  return std::nullopt;
}

void SerialTarget::Serve(Ticket ticket) {
  SerialSession* const session = CopyIn(ticket);
  const Status status = session == nullptr ? Status::kError : Crypt(*session);
  if (status == Status::kOk) CopyOut(ticket);
  queue_->Finish(ticket, status);
}

SerialTarget::SerialSession* SerialTarget::CopyIn(Ticket ticket) {
  EngineJob* const job = queue_->Pin(ticket);
  if (job == nullptr) return nullptr;
  const auto& lane_job = static_cast<const LaneJob&>(*job);
  const Op& op = *lane_job.op;
  SerialSession* session = static_cast<Handle&>(*lane_job.session).session();
  if (HasItsLengths(op)) {
    CopyPayload(op);
  } else {
    session = nullptr;
  }
  queue_->Unpin(ticket);
  return session;
}

// Where a result is as long as the source it takes its place, else it stands behind it.
void SerialTarget::CopyPayload(const Op& op) {
  const auto len = static_cast<size_t>(op.len);
  const auto aad_len = static_cast<size_t>(op.aad_len);
  const auto out_len = static_cast<size_t>(op.out_len);
  const size_t total = len + aad_len + (out_len == len ? 0 : out_len);
  if (total > buffer_.size() || buffer_.size() > kKeptBuffer) buffer_ = SecretBytes(total);
  const std::span<uint8_t> bytes = buffer_.mutable_bytes();
  src_ = {.data = bytes.data(), .size = len};
  aad_ = {.data = bytes.subspan(len).data(), .size = aad_len};
  dst_ =
      out_len == len ? src_ : Segment{.data = bytes.subspan(len + aad_len).data(), .size = out_len};
  GatherPayload(op.src, bytes.first(len));
  GatherPayload(op.aad, bytes.subspan(len, aad_len));
  // All but the session, which is the lane's own and may change meanwhile.
  op_.len = op.len;
  op_.iv = op.iv;
  op_.iv_len = op.iv_len;
  op_.akcipher_op = op.akcipher_op;
  op_.out_len = op.out_len;
  op_.aad_len = op.aad_len;
  op_.cipher_range = op.cipher_range;
  op_.hash_range = op.hash_range;
  op_.tag = op.tag;
  op_.src = std::span(&src_, 1);
  op_.aad = std::span(&aad_, 1);
  op_.dst = std::span(&dst_, 1);
}

void SerialTarget::CopyOut(Ticket ticket) {
  EngineJob* const job = queue_->Pin(ticket);
  if (job == nullptr) return;
  Op& op = *static_cast<const LaneJob&>(*job).op;
  op.tag = op_.tag;
  op.out_len = op_.out_len;
  ScatterPayload({dst_.data, static_cast<size_t>(op_.out_len)}, op.dst);
}

Status SerialTarget::Crypt(SerialSession& session) {
  if (!session.inner) {
    auto inner = lane_->OpenSession(session.session);
    if (!inner.has_value()) return Status::kError;
    session.inner = std::move(*inner);
  }
  op_.session = session.inner.get();
  Op* op = &op_;
  if (lane_->Submit(std::span(&op, 1)) == 0) return Status::kError;
  lane_->Flush();
  while (lane_->Poll(std::span(&op, 1)) == 0) {
    if (!AwaitInner()) return Status::kError;
  }
  return op_.status;
}

bool SerialTarget::AwaitInner() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_woken_ || stop_; });
  is_woken_ = false;
  return !stop_;
}

void SerialTarget::CloseLane() {
  // Sessions go before their lane, unless the lane has not given back an operation that names one.
  if (lane_->in_flight() == 0) retired_.clear();
  lane_.reset();
  retired_.clear();
}

}  // namespace sealane::crypto
