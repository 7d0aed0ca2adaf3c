// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/fake_target.h"

#include <algorithm>
#include <utility>

#include "sealane/base/check.h"

namespace sealane::crypto {
namespace {

const char* Name(const Outcome& outcome) {
  switch (outcome.reason) {
    case DoneReason::kFinished:
      return outcome.status == Status::kOk ? "ok" : "error";
    case DoneReason::kTimedOut:
      return "timed out";
    case DoneReason::kCanceled:
      return "canceled";
  }
  return "?";
}

}  // namespace

StartResult FakeTarget::Start(EngineJob& job, Ticket ticket) {
  Answer answer = Answer::kTake;
  if (!script.empty()) {
    answer = script.front();
    script.pop_front();
  }
  auto& fake = static_cast<FakeJob&>(job);
  offered.push_back(fake.id);
  answers.push_back(answer);
  if (inside_start) inside_start(fake, ticket, answer);
  switch (answer) {
    case Answer::kTake:
      held.push_back({.job = &fake, .ticket = ticket, .steps_left = steps});
      most_held = std::max(most_held, held.size());
      return {.kind = StartResult::Kind::kStarted};
    case Answer::kBusy:
      return {.kind = StartResult::Kind::kBusy};
    case Answer::kFail:
      return {.kind = StartResult::Kind::kFailed, .status = Status::kBadMessage};
    case Answer::kFinishInside:
      queue->Finish(ticket, Status::kOk);
      return {.kind = StartResult::Kind::kStarted};
    case Answer::kFinishInsideAndSayBusy:
      queue->Finish(ticket, Status::kOk);
      return {.kind = StartResult::Kind::kBusy};
  }
  return {};
}

void FakeTarget::Abort(Ticket ticket) {
  aborted.push_back(ticket);
  if (!acknowledges_aborts) return;
  const auto found =
      std::ranges::find(held, ticket.serial, [](const Held& entry) { return entry.ticket.serial; });
  if (found != held.end()) Finish(static_cast<size_t>(found - held.begin()), Status::kError);
}

bool FakeTarget::Reset() {
  if (can_reset) held.clear();
  return can_reset;
}

void FakeTarget::Finish(size_t i, Status status) {
  const Ticket ticket = held.at(i).ticket;
  held.erase(held.begin() + static_cast<ptrdiff_t>(i));
  queue->Finish(ticket, status);
}

void FakeTarget::Step() {
  for (Held& entry : held) --entry.steps_left;
  while (true) {
    const auto due =
        std::ranges::find_if(held, [](const Held& entry) { return entry.steps_left <= 0; });
    if (due == held.end()) return;
    Finish(static_cast<size_t>(due - held.begin()));
  }
}

FakeClient::FakeClient(EngineQueue& queue, const QueueClient::Share& share)
    : client(*this, share), queue_(queue) {
  SL_CHECK(queue_.AddClient(client).has_value());
}

FakeClient::~FakeClient() {
  on_started = nullptr;  // a client that goes brings nothing new
  on_done = nullptr;
  queue_.Cancel(client, QueueClock::now());
  while (Deliver() != 0) {
  }
  queue_.RemoveClient(client);
}

void FakeClient::OnStarted(EngineJob& job) {
  auto& fake = static_cast<FakeJob&>(job);
  Write("started " + std::to_string(fake.id));
  if (on_started) on_started(fake);
}

void FakeClient::OnDone(EngineJob& job, const Outcome& outcome) {
  auto& fake = static_cast<FakeJob&>(job);
  Write("done " + std::to_string(fake.id) + " " + Name(outcome));
  if (on_done) on_done(fake, outcome);
}

void FakeClient::OnReady() {
  ++num_ready_;
  if (delivers_inline) Deliver();
}

std::string FakeClient::TakeLog() { return std::exchange(log_, {}); }

void FakeClient::Write(const std::string& line) {
  if (!log_.empty()) log_ += ", ";
  log_ += line;
}

QueueFixture::QueueFixture(const EngineQueue::Options& options)
    : queue(target, options), jobs(100) {
  target.queue = &queue;
  for (size_t i = 0; i < jobs.size(); ++i) jobs[i].id = static_cast<int>(i);
}

}  // namespace sealane::crypto
