// SPDX-License-Identifier: Apache-2.0
//
// Random schedules of everything that clients, target, time and owner can do, each event judged by
// the model. A schedule is its seed: a failure names it, and the same seed fails again.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/fake_queue_model.h"
#include "sealane/crypto/fake_target.h"

namespace sealane::crypto {
namespace {

using Answer = FakeTarget::Answer;
using std::chrono::hours;
using std::chrono::seconds;

constexpr int kNumJobs = 14;
constexpr int kNumClients = 3;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint32_t>(n)); }
  bool Percent(int n) { return Below(100) < n; }

 private:
  std::mt19937 engine_;
};

class World {
 public:
  explicit World(uint32_t seed);
  ~World();
  void Step();
  // Everything stopped, delivered, and back with its caller.
  void End();
  const std::string& complaint() const { return model_.complaint(); }

 private:
  struct Client final : QueueObserver {
    Client(World& owner, int own_index, const QueueClient::Share& share)
        : world(owner), index(own_index), client(*this, share) {}
    void OnStarted(EngineJob& job) override { world.model_.OnStarted(index, IdOf(job)); }
    void OnDone(EngineJob& job, const Outcome& outcome) override;
    void OnReady() override { world.model_.OnReady(index); }
    World& world;
    const int index;
    QueueClient client;
    JobOrder orders[2];
  };

  static int IdOf(EngineJob& job) { return static_cast<FakeJob&>(job).id; }
  Client& client(int i) { return *clients_[static_cast<size_t>(i)]; }
  FakeJob& job(int i) { return jobs_[static_cast<size_t>(i)]; }
  bool IsLive(const FakeTarget::Held& held) const;
  bool IsPinned(int id) const;

  void WriteScript();
  void Submit(int client_index, int id);
  void FinishOne();
  void FinishAgain();
  void Deliver(int client_index, size_t max);
  void PinOne();
  void UnpinAll();
  void Expire();
  void Cancel();
  void Stop();
  void Reset();
  void TellEnded(int id, DoneReason reason);
  void TellAllEnded(int client_index);

  Random random_;
  std::vector<QueueClient::Share> shares_;
  const size_t in_flight_;
  QueueModel model_;
  FakeTarget target_;
  EngineQueue queue_;
  std::vector<FakeJob> jobs_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::map<int, uint64_t> serials_;  // of a job's last start
  std::map<int, Ticket> pinned_;     // by job
  std::set<int> late_;               // pinned, and the deadline is over
  std::vector<Ticket> old_tickets_;
  EngineQueue::TimePoint now_{hours(1)};
  bool is_busy_ = false;
  bool may_resubmit_ = true;
};

std::vector<QueueClient::Share> MakeShares(Random& random) {
  std::vector<QueueClient::Share> shares(kNumClients);
  for (QueueClient::Share& share : shares) {
    share.queue = static_cast<size_t>(1 + random.Below(3));
    share.backlog = static_cast<size_t>(random.Below(4));
  }
  return shares;
}

World::World(uint32_t seed)
    : random_(seed),
      shares_(MakeShares(random_)),
      in_flight_(static_cast<size_t>(1 + random_.Below(3))),
      model_(shares_, kNumJobs, in_flight_),
      queue_(target_, {.in_flight = in_flight_,
                       .dead_after = hours(100),
                       .lock = random_.Percent(50) ? LockKind::kMutex : LockKind::kSpin}),
      jobs_(kNumJobs) {
  target_.queue = &queue_;
  target_.acknowledges_aborts = random_.Percent(50);
  target_.can_reset = random_.Percent(50);
  target_.inside_start = [this](FakeJob& offered, Ticket ticket, Answer answer) {
    serials_[offered.id] = ticket.serial;
    old_tickets_.push_back(ticket);
    is_busy_ = answer == Answer::kBusy;
    model_.Offered(offered.id, answer);
  };
  for (int i = 0; i < kNumJobs; ++i) job(i).id = i;
  for (int i = 0; i < kNumClients; ++i) {
    clients_.push_back(std::make_unique<Client>(*this, i, shares_[static_cast<size_t>(i)]));
    EXPECT_TRUE(queue_.AddClient(client(i).client).has_value());
  }
}

// Also after a failure, with whatever is left.
World::~World() {
  may_resubmit_ = false;
  for (const auto& [id, ticket] : pinned_) queue_.Unpin(ticket);
  queue_.Stop(StopMode::kAbort, QueueClock::now());
  for (const auto& each : clients_) {
    queue_.Deliver(each->client, 1000);
    queue_.RemoveClient(each->client);
  }
}

void World::Client::OnDone(EngineJob& done, const Outcome& outcome) {
  const int id = IdOf(done);
  world.model_.OnDone(index, id, outcome);
  if (!world.may_resubmit_) return;
  if (world.random_.Percent(30)) world.Submit(world.random_.Below(kNumClients), id);
  if (!world.random_.Percent(5)) return;
  EXPECT_EQ(world.queue_.Deliver(client, 10), 0U) << "it is being delivered to";
}

bool World::IsLive(const FakeTarget::Held& held) const {
  const int id = held.job->id;
  return model_.IsInFlight(id) && serials_.at(id) == held.ticket.serial;
}

bool World::IsPinned(int id) const { return pinned_.contains(id); }

void World::WriteScript() {
  constexpr Answer kAnswers[] = {Answer::kBusy, Answer::kFail, Answer::kFinishInside,
                                 Answer::kFinishInsideAndSayBusy};
  if (random_.Percent(20)) target_.script.push_back(kAnswers[random_.Below(4)]);
}

void World::Submit(int client_index, int id) {
  const SubmitResult expected = model_.Expected(client_index, id);
  Client& by = client(client_index);
  if (model_.IsIdle(id)) {
    const int order = random_.Below(3);
    job(id).order = order < 2 ? &by.orders[order] : nullptr;
    job(id).cost = static_cast<uint64_t>(random_.Below(200'000));
    job(id).deadline =
        random_.Percent(50) ? now_ + seconds(1 + random_.Below(20)) : EngineQueue::TimePoint::max();
    if (expected == SubmitResult::kQueued || expected == SubmitResult::kBacklogged) {
      const int number = order < 2 ? 2 * client_index + order : QueueModel::kNoOrder;
      model_.Accepted(client_index, id, number, expected);
    }
  }
  EXPECT_EQ(queue_.Submit(by.client, job(id)), expected);
}

void World::FinishOne() {
  if (target_.held.empty()) return;
  const auto i = static_cast<size_t>(random_.Below(static_cast<int>(target_.held.size())));
  const int id = target_.held[i].job->id;
  const bool is_live = IsLive(target_.held[i]);
  // After an abort an error would count as its acknowledgement.
  const Status status = random_.Percent(20) && !late_.contains(id) ? Status::kError : Status::kOk;
  model_.Finished(is_live ? id : -1, status);
  if (is_live) {
    pinned_.erase(id);
    late_.erase(id);
  }
  is_busy_ = false;
  target_.Finish(i, status);
}

void World::FinishAgain() {
  if (old_tickets_.empty()) return;
  const auto i = static_cast<size_t>(random_.Below(static_cast<int>(old_tickets_.size())));
  const Ticket ticket = old_tickets_[i];
  for (const FakeTarget::Held& held : target_.held) {
    if (held.ticket.serial == ticket.serial) return;
  }
  queue_.Finish(ticket, Status::kOk);
}

void World::Deliver(int client_index, size_t max) {
  const size_t num_done = queue_.Deliver(client(client_index).client, max);
  EXPECT_LE(num_done, max);
  model_.Delivered(client_index, num_done < max);
}

void World::PinOne() {
  if (target_.held.empty()) return;
  const auto i = static_cast<size_t>(random_.Below(static_cast<int>(target_.held.size())));
  const FakeTarget::Held& held = target_.held[i];
  EngineJob* const pinned = queue_.Pin(held.ticket);
  EXPECT_EQ(pinned, IsLive(held) ? held.job : nullptr);
  if (pinned != nullptr) pinned_[held.job->id] = held.ticket;
}

void World::UnpinAll() {
  while (!pinned_.empty()) {
    const auto [id, ticket] = *pinned_.begin();
    pinned_.erase(id);
    if (late_.erase(id) != 0) model_.Ended(id, DoneReason::kTimedOut);
    queue_.Unpin(ticket);
  }
}

// The model's view of a job that the queue is about to take back.
void World::TellEnded(int id, DoneReason reason) {
  const bool is_acknowledged = model_.IsInFlight(id) && target_.acknowledges_aborts;
  if (IsPinned(id) && !is_acknowledged) {
    late_.insert(id);
    return;
  }
  if (is_acknowledged) {
    pinned_.erase(id);
    is_busy_ = false;
  }
  model_.Ended(id, reason);
  if (is_acknowledged) model_.Finished(-1, Status::kError);
}

void World::Expire() {
  now_ += seconds(random_.Below(8));
  is_busy_ = false;
  for (int id = 0; id < kNumJobs; ++id) {
    if (job(id).deadline > now_ || late_.contains(id)) continue;
    if (model_.IsWaiting(id) || model_.IsInFlight(id)) TellEnded(id, DoneReason::kTimedOut);
  }
  queue_.Expire(now_);
}

void World::TellAllEnded(int client_index) {
  for (int id = 0; id < kNumJobs; ++id) {
    if (client_index >= 0 && model_.client_of(id) != client_index) continue;
    if (model_.IsWaiting(id) || model_.IsInFlight(id)) TellEnded(id, DoneReason::kCanceled);
  }
}

void World::Cancel() {
  UnpinAll();
  const int index = random_.Below(kNumClients);
  TellAllEnded(index);
  queue_.Cancel(client(index).client, QueueClock::now());
}

void World::Stop() {
  UnpinAll();
  model_.SetOpen(false);
  TellAllEnded(-1);
  const StopMode mode = random_.Percent(50) ? StopMode::kAbort : StopMode::kDrain;
  EXPECT_EQ(queue_.Stop(mode, QueueClock::now()), model_.num_quarantined() == 0);
}

void World::Reset() {
  UnpinAll();
  TellAllEnded(-1);
  const bool is_reset = target_.can_reset || model_.num_quarantined() == 0;
  EXPECT_EQ(queue_.Reset(QueueClock::now()), is_reset);
  model_.SetOpen(is_reset);
  if (!is_reset) return;
  model_.ForgetQuarantined();
  target_.held.clear();
  is_busy_ = false;
}

void World::Step() {
  WriteScript();
  const int dice = random_.Below(100);
  if (dice < 40) {
    Submit(random_.Below(kNumClients), random_.Below(kNumJobs));
  } else if (dice < 63) {
    FinishOne();
  } else if (dice < 68) {
    FinishAgain();
  } else if (dice < 82) {
    Deliver(random_.Below(kNumClients), static_cast<size_t>(random_.Below(5)));
  } else if (dice < 88) {
    Expire();
  } else if (dice < 90) {
    PinOne();
  } else if (dice < 92) {
    UnpinAll();
  } else if (dice < 95) {
    is_busy_ = false;
    queue_.Resume();
  } else if (dice < 97) {
    Cancel();
  } else if (dice < 98) {
    Stop();
  } else {
    Reset();
  }
  model_.CheckAtRest(is_busy_);
}

void World::End() {
  may_resubmit_ = false;
  Stop();
  for (int i = 0; i < kNumClients; ++i) Deliver(i, 1000);
  for (int id = 0; id < kNumJobs; ++id) EXPECT_TRUE(model_.IsIdle(id)) << id;
  model_.CheckAtRest(is_busy_);
}

TEST(EngineQueueModel, RandomSchedules_EveryEventAsTheModelSays) {
  for (uint32_t seed = 0; seed < 5000; ++seed) {
    World world(seed);
    for (int step = 0; step < 120; ++step) {
      world.Step();
      ASSERT_EQ(world.complaint(), "") << "seed " << seed << ", step " << step;
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", step " << step;
    }
    world.End();
    ASSERT_EQ(world.complaint(), "") << "seed " << seed;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sealane::crypto
