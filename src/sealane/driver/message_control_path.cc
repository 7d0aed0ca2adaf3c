// SPDX-License-Identifier: Apache-2.0
#include "sealane/driver/message_control_path.h"

#include "sealane/driver/control_request.h"

namespace sealane::driver {

MessageControlPath::~MessageControlPath() { Poll(); }

void MessageControlPath::Run(std::span<SessionOp> ops, Clock::time_point deadline) {
  for (SessionOp& op : ops) {
    if (Clock::now() < deadline) {
      Do(op);
      continue;
    }
    op.status = Status::kTimeout;
    op.error = {ErrorCode::kTimeout, "the deadline passed before the message was sent"};
  }
}

size_t MessageControlPath::Start(std::span<SessionOp* const> ops) {
  for (SessionOp* const op : ops) Do(*op);
  const std::lock_guard lock(mutex_);
  finished_.insert(finished_.end(), ops.begin(), ops.end());
  return ops.size();
}

size_t MessageControlPath::Poll() {
  std::vector<SessionOp*> finished;
  {
    const std::lock_guard lock(mutex_);
    finished.swap(finished_);
  }
  for (SessionOp* const op : finished) {
    if (op->on_done != nullptr) op->on_done(*op);
  }
  return finished.size();
}

bool MessageControlPath::Wait(Clock::time_point /*deadline*/) {
  const std::lock_guard lock(mutex_);
  return !finished_.empty();
}

void MessageControlPath::Shutdown() {
  const std::lock_guard lock(mutex_);
  shut_down_ = true;
}

void MessageControlPath::Do(SessionOp& op) {
  const auto answer = Exchange(op);
  op.status = answer ? Status::kOk : answer.error().status;
  if (!answer) op.error = answer.error().error;
  if (answer && op.kind == SessionOp::Kind::kCreate) op.session = *answer;
}

Outcome<SessionId> MessageControlPath::Exchange(const SessionOp& op) {
  {
    const std::lock_guard lock(mutex_);
    if (shut_down_) {
      return Failure{Status::kCanceled, {ErrorCode::kBroken, "the driver was shut down"}};
    }
  }
  if (op.kind == SessionOp::Kind::kClose) {
    const auto closed = messages_.CloseSession(op.session);
    if (!closed) return closed.error();
    return op.session;
  }
  if (!EncodeCreate(op.params, false)) {
    return Failure{Status::kInvalidArgument, {ErrorCode::kInvalid, "impossible key length"}};
  }
  return messages_.CreateSession(op.params);
}

}  // namespace sealane::driver
