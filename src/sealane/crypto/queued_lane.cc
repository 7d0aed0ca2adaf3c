// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/queued_lane.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sealane/base/check.h"

namespace sealane::crypto {
namespace {

struct QueuedLaneSession final : LaneSession {
  explicit QueuedLaneSession(std::unique_ptr<LaneSession> made) : target_session(std::move(made)) {}
  ~QueuedLaneSession() override { SL_CHECK(order.empty()); }

  JobOrder order;
  const std::unique_ptr<LaneSession> target_session;
};

}  // namespace

Result<std::unique_ptr<QueuedLane>> QueuedLane::Create(EngineQueue& queue, QueueWatchdog& watchdog,
                                                       QueuedSessions& sessions, Waker& waker,
                                                       const Options& options) {
  std::unique_ptr<QueuedLane> lane(new QueuedLane(queue, watchdog, sessions, waker, options));
  if (auto added = queue.AddClient(lane->client_); !added.has_value()) {
    lane->jobs_.clear();  // not registered: nothing for the destructor to do
    return added.error();
  }
  return lane;
}

QueuedLane::QueuedLane(EngineQueue& queue, QueueWatchdog& watchdog, QueuedSessions& sessions,
                       Waker& waker, const Options& options)
    : queue_(queue),
      watchdog_(watchdog),
      sessions_(sessions),
      waker_(waker),
      timeout_(options.timeout),
      client_(*this, options.share),
      jobs_(2 * (options.share.queue + options.share.backlog + options.in_flight)) {
  for (LaneJob& job : jobs_) free_.push_back(&job);
  refused_.reserve(jobs_.size());
  batch_.reserve(jobs_.size());
}

QueuedLane::~QueuedLane() {
  if (jobs_.empty()) return;
  queue_.Cancel(client_, QueueClock::now());
  while (queue_.Deliver(client_, std::numeric_limits<size_t>::max()) != 0) {
  }
  queue_.RemoveClient(client_);
}

Result<std::unique_ptr<LaneSession>> QueuedLane::OpenSession(
    std::shared_ptr<const Session> session) {
  SL_ASSIGN_OR_RETURN(auto target_session, sessions_.OpenSession(std::move(session)));
  return std::make_unique<QueuedLaneSession>(std::move(target_session));
}

size_t QueuedLane::Submit(std::span<Op* const> ops) {
  if (is_full_) return 0;
  const auto deadline = QueueClock::now() + timeout_;
  batch_.clear();
  for (Op* const op : ops.first(std::min(ops.size(), free_.size()))) {
    LaneJob& job = FreeJob(batch_.size());
    auto& session = static_cast<QueuedLaneSession&>(*op->session);
    job.order = &session.order;
    job.cost = op->len;
    job.deadline = deadline;
    job.op = op;
    job.session = session.target_session.get();
    batch_.push_back(&job);
  }
  return SubmitBatch(ops.size());
}

// Up to the first one that does not fit now; those that never will are taken, too, and fail.
size_t QueuedLane::SubmitBatch(size_t wanted) {
  size_t taken = 0;
  while (taken < batch_.size()) {
    const auto [accepted, last] = queue_.SubmitAll(client_, std::span(batch_).subspan(taken));
    free_.resize(free_.size() - accepted);
    taken += accepted;
    if (taken == batch_.size()) break;
    if (last != SubmitResult::kFull) {
      Refuse();
      ++taken;
    } else if (accepted == 0) {
      break;  // else some were started at the end of the call, which has made room
    }
  }
  is_full_ = taken < wanted;
  watchdog_.Poke();
  return taken;
}

void QueuedLane::Refuse() {
  refused_.push_back(free_.back());
  free_.pop_back();
  if (refused_.size() == 1) waker_.Wake();
}

size_t QueuedLane::Poll(std::span<Op*> done) {
  done_ = done;
  while (!refused_.empty() && !done_.empty()) {
    LaneJob& job = *refused_.back();
    refused_.pop_back();
    OnDone(job, {.reason = DoneReason::kCanceled, .status = Status::kError});
  }
  if (!done_.empty()) queue_.Deliver(client_, done_.size());
  return done.size() - std::exchange(done_, {}).size();
}

void QueuedLane::OnStarted(EngineJob& /*job*/) { is_full_ = false; }

void QueuedLane::OnDone(EngineJob& job, const Outcome& outcome) {
  auto& lane_job = static_cast<LaneJob&>(job);
  is_full_ = false;
  free_.push_back(&lane_job);
  if (done_.empty()) return;  // not in Poll: the lane is being destroyed, the op may be gone
  lane_job.op->status = outcome.status;
  done_.front() = lane_job.op;
  done_ = done_.subspan(1);
}

}  // namespace sealane::crypto
