// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/fake_queue_model.h"

#include <algorithm>

namespace sealane::crypto {

void QueueModel::Complain(const std::string& what, int job) {
  complaint_ += what + " (job " + std::to_string(job) + ")\n";
}

size_t QueueModel::Count(int client, State state) const {
  return static_cast<size_t>(std::ranges::count_if(
      jobs_, [&](const Job& job) { return job.client == client && job.state == state; }));
}

int QueueModel::First(int client, State state) const {
  int first = -1;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].client != client || jobs_[i].state != state) continue;
    if (first < 0 || jobs_[i].submitted < jobs_[At(first)].submitted) first = static_cast<int>(i);
  }
  return first;
}

bool QueueModel::IsWaiting(int job) const {
  const State state = jobs_[At(job)].state;
  return state == State::kQueued || state == State::kBacklogged;
}

SubmitResult QueueModel::Expected(int client, int job) const {
  if (!IsIdle(job)) return SubmitResult::kInvalid;
  if (!is_open_) return SubmitResult::kShutdown;
  const QueueClient::Share& share = shares_[At(client)];
  if (Count(client, State::kQueued) < share.queue) return SubmitResult::kQueued;
  if (Count(client, State::kBacklogged) < share.backlog) return SubmitResult::kBacklogged;
  return SubmitResult::kFull;
}

void QueueModel::Accepted(int client, int job, int order, SubmitResult result) {
  const bool is_backlogged = result == SubmitResult::kBacklogged;
  jobs_[At(job)] = {.state = is_backlogged ? State::kBacklogged : State::kQueued,
                    .client = client,
                    .order = order,
                    .submitted = ++num_submitted_,
                    .owes_started = is_backlogged,
                    .may_start = false,
                    .outcome = {}};
}

void QueueModel::Offered(int job, FakeTarget::Answer answer) {
  using Answer = FakeTarget::Answer;
  Job& offered = jobs_[At(job)];
  if (offered.state != State::kQueued) return Complain("offered, but is not queued", job);
  if (First(offered.client, State::kQueued) != job) Complain("offered out of turn", job);
  const auto num_held = static_cast<size_t>(
      std::ranges::count(jobs_, State::kInFlight, [](const Job& each) { return each.state; }));
  if (num_held + num_quarantined_ >= in_flight_) Complain("offered beyond the limit", job);
  if (answer == Answer::kBusy) return;
  offered.state = State::kInFlight;
  MoveUp(offered.client);
  if (answer == Answer::kTake) return;
  const Status status = answer == Answer::kFail ? Status::kBadMessage : Status::kOk;
  End(job, {.reason = DoneReason::kFinished, .status = status});
}

void QueueModel::MoveUp(int client) {
  while (Count(client, State::kQueued) < shares_[At(client)].queue) {
    const int first = First(client, State::kBacklogged);
    if (first < 0) return;
    jobs_[At(first)].state = State::kQueued;
    jobs_[At(first)].may_start = true;
  }
}

void QueueModel::Finished(int job, Status status) {
  if (job < 0) {
    --num_quarantined_;
    return;
  }
  End(job, {.reason = DoneReason::kFinished, .status = status});
}

void QueueModel::Ended(int job, DoneReason reason) {
  if (IsInFlight(job)) ++num_quarantined_;
  End(job, {.reason = reason, .status = Status::kError});
  MoveUp(client_of(job));
}

void QueueModel::End(int job, const Outcome& outcome) {
  Job& ended = jobs_[At(job)];
  ended.state = State::kEnded;
  ended.may_start = ended.owes_started;
  ended.outcome = outcome;
}

bool QueueModel::IsDeliverable(const Job& job) const {
  if (job.state != State::kEnded) return false;
  if (job.order == kNoOrder) return true;
  return std::ranges::none_of(jobs_, [&job](const Job& other) {
    return other.state != State::kIdle && other.order == job.order &&
           other.submitted < job.submitted;
  });
}

bool QueueModel::HasEvents(int client) const {
  return std::ranges::any_of(jobs_, [&](const Job& job) {
    return job.client == client && (job.may_start || IsDeliverable(job));
  });
}

void QueueModel::OnStarted(int client, int job) {
  Job& started = jobs_[At(job)];
  if (started.client != client) Complain("started, told to another client", job);
  if (!started.owes_started || !started.may_start) Complain("started, but owes none", job);
  started.owes_started = started.may_start = false;
}

void QueueModel::OnDone(int client, int job, const Outcome& outcome) {
  Job& done = jobs_[At(job)];
  if (done.client != client) Complain("done, told to another client", job);
  if (done.owes_started) Complain("done before started", job);
  if (!IsDeliverable(done)) Complain("done, but is not over or not in order", job);
  if (outcome != done.outcome) Complain("done with the wrong outcome", job);
  done.state = State::kIdle;
}

void QueueModel::OnReady(int client) {
  if (ready_[At(client)]) Complain("ready twice", -1);
  ready_[At(client)] = true;
}

void QueueModel::Delivered(int client, bool is_all) {
  if (is_all && HasEvents(client)) Complain("not all was delivered", First(client, State::kEnded));
  ready_[At(client)] = HasEvents(client);
}

void QueueModel::CheckAtRest(bool is_target_busy) {
  size_t num_held = num_quarantined_;
  bool is_any_queued = false;
  for (const Job& job : jobs_) {
    num_held += job.state == State::kInFlight ? 1 : 0;
    is_any_queued |= job.state == State::kQueued;
  }
  if (is_any_queued && num_held < in_flight_ && !is_target_busy) Complain("the target idles", -1);
  for (size_t i = 0; i < shares_.size(); ++i) {
    const int client = static_cast<int>(i);
    if (HasEvents(client) && !ready_[i]) Complain("events, but no ready", -1);
    if (Count(client, State::kQueued) > shares_[i].queue) Complain("queue too deep", -1);
    if (Count(client, State::kBacklogged) > shares_[i].backlog) Complain("backlog too deep", -1);
  }
}

}  // namespace sealane::crypto
