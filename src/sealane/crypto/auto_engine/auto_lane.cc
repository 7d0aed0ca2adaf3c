// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/auto_engine/auto_lane.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sealane::crypto {

class AutoLane::AutoLaneSession final : public LaneSession {
 public:
  AutoLaneSession(std::unique_ptr<LaneSession> inner, bool is_slow)
      : inner_(std::move(inner)), is_slow_(is_slow) {}

  LaneSession* inner() const { return inner_.get(); }
  bool is_slow() const { return is_slow_; }

 private:
  const std::unique_ptr<LaneSession> inner_;
  const bool is_slow_;
};

AutoLane::AutoLane(std::unique_ptr<Lane> quick, std::unique_ptr<Lane> slow)
    : quick_(std::move(quick)), slow_(std::move(slow)) {}

Result<std::unique_ptr<LaneSession>> AutoLane::OpenSession(std::shared_ptr<const Session> session) {
  const bool is_slow = session->info().kind == SessionKind::kAkcipher;
  SL_ASSIGN_OR_RETURN(auto inner, (is_slow ? *slow_ : *quick_).OpenSession(std::move(session)));
  return std::make_unique<AutoLaneSession>(std::move(inner), is_slow);
}

size_t AutoLane::SubmitTo(Lane& lane, std::span<Op* const> ops) {
  size_t taken = 0;
  while (taken < ops.size()) {
    std::array<LaneSession*, 64> outer;
    const auto batch = ops.subspan(taken, std::min(outer.size(), ops.size() - taken));
    for (size_t i = 0; i < batch.size(); ++i) {
      outer[i] = batch[i]->session;
      batch[i]->session = static_cast<AutoLaneSession*>(outer[i])->inner();
    }
    // Both lanes look at an op's session inside Submit only.
    const size_t accepted = lane.Submit(batch);
    for (size_t i = 0; i < batch.size(); ++i) batch[i]->session = outer[i];
    taken += accepted;
    if (accepted < batch.size()) break;
  }
  return taken;
}

size_t AutoLane::Submit(std::span<Op* const> ops) {
  size_t taken = 0;
  while (taken < ops.size()) {
    // The longest run of one kind.
    const auto is_slow = [&](size_t i) {
      return static_cast<const AutoLaneSession*>(ops[i]->session)->is_slow();
    };
    const bool slow = is_slow(taken);
    size_t end = taken + 1;
    while (end < ops.size() && is_slow(end) == slow) ++end;
    const auto run = ops.subspan(taken, end - taken);
    if (slow) {
      waiting_.insert(waiting_.end(), run.begin(), run.end());
      taken = end;
      continue;
    }
    const size_t quick = SubmitTo(*quick_, run);
    taken += quick;
    if (quick < run.size()) break;
  }
  SubmitWaiting();
  return taken;
}

void AutoLane::SubmitWaiting() {
  while (!waiting_.empty()) {
    std::array<Op*, 64> ops;
    const size_t wanted = std::min(ops.size(), waiting_.size());
    std::copy_n(waiting_.begin(), wanted, ops.begin());
    const size_t taken = SubmitTo(*slow_, std::span(ops).first(wanted));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(taken));
    if (taken < wanted) break;
  }
}

size_t AutoLane::Poll(std::span<Op*> done) {
  const size_t quick = quick_->Poll(done);
  if (slow_->in_flight() == 0 && waiting_.empty()) return quick;
  const size_t slow = slow_->Poll(done.subspan(quick));
  if (slow != 0) SubmitWaiting();
  return quick + slow;
}

void AutoLane::Flush() {
  quick_->Flush();
  slow_->Flush();
}

}  // namespace sealane::crypto
