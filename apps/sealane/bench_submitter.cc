// SPDX-License-Identifier: Apache-2.0
#include "bench_submitter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace sealane::cli {
namespace {

constexpr size_t kTail = 16;  // bytes of each result that are looked at as soon as it is there

uint32_t AllOf(size_t n) { return n == 32 ? UINT32_MAX : (uint32_t{1} << n) - 1; }

crypto::QueueClient::Share ShareOf(size_t num_jobs, Completion completion) {
  return {.queue = num_jobs,
          .backlog = 0,
          .wake_batch = completion == Completion::kSubmitter ? num_jobs : 1};
}

}  // namespace

BenchSubmitter::BenchSubmitter(crypto::EngineQueue& queue, std::span<CipherJob> jobs,
                               std::span<const uint8_t> expected, Completion completion,
                               CompletionThread* worker, uint32_t index)
    : queue_(queue),
      jobs_(jobs),
      expected_(expected),
      completion_(completion),
      worker_(worker),
      index_(index),
      client_(*this, ShareOf(jobs.size(), completion)),
      idle_(AllOf(jobs.size())) {}

BenchSubmitter::~BenchSubmitter() {
  if (is_registered_) queue_.RemoveClient(client_);
}

bool BenchSubmitter::Register() {
  is_registered_ = queue_.AddClient(client_).has_value();
  return is_registered_;
}

void BenchSubmitter::Run(const std::atomic<bool>& stop) {
  stop_ = &stop;
  uint32_t idle = 0;
  while (true) {
    if (completion_ == Completion::kSubmitter) DeliverAll();
    // Acquire: pairs with the release in OnDone.
    idle |= idle_.exchange(0, std::memory_order_acquire);
    const bool go_on = !stop.load(std::memory_order_relaxed) && !failed_;
    if (go_on && !Submit(idle)) failed_ = true;
    if (!go_on && idle == AllOf(jobs_.size())) return;
    if (!failed_ || idle != AllOf(jobs_.size())) doorbell_.Wait();
  }
}

bool BenchSubmitter::Submit(uint32_t& idle) {
  std::array<crypto::EngineJob*, kMaxJobs> jobs{};
  size_t num = 0;
  for (uint32_t left = idle; left != 0; left &= left - 1) {
    jobs[num++] = &jobs_[static_cast<size_t>(std::countr_zero(left))];
  }
  const auto count = queue_.SubmitAll(client_, std::span(jobs).first(num));
  for (size_t i = 0; i < count.accepted; ++i) idle &= idle - 1;  // the lowest came first
  return idle == 0;
}

void BenchSubmitter::DeliverAll() {
  while (queue_.Deliver(client_, kMaxJobs) == kMaxJobs) {
  }
}

bool BenchSubmitter::failed() const {
  return failed_ || !std::ranges::all_of(jobs_, [this](const CipherJob& job) {
           return (ever_done_ >> job.index & 1U) == 0 || std::ranges::equal(job.out, expected_);
         });
}

// There is no backlog.
void BenchSubmitter::OnStarted(crypto::EngineJob& /*job*/) { failed_ = true; }

void BenchSubmitter::OnDone(crypto::EngineJob& job, const crypto::Outcome& outcome) {
  const auto& done = static_cast<const CipherJob&>(job);
  const uint32_t bit = uint32_t{1} << done.index;
  if (outcome != crypto::Outcome{} ||
      !std::ranges::equal(done.out.last(kTail), expected_.last(kTail))) {
    failed_ = true;
  }
  if (!stop_->load(std::memory_order_relaxed)) ++num_done_;
  ever_done_ |= bit;
  // Release: pairs with Run. From here on the job may be submitted again.
  idle_.fetch_or(bit, std::memory_order_release);
  if (completion_ != Completion::kSubmitter) doorbell_.Ring();
}

void BenchSubmitter::OnReady() {
  switch (completion_) {
    case Completion::kInline:
      return DeliverAll();
    case Completion::kWorker:
      return worker_->Add(index_);
    case Completion::kSubmitter:
      return doorbell_.Ring();
  }
}

void CompletionThread::Launch(std::vector<BenchSubmitter*> submitters) {
  submitters_ = std::move(submitters);
  thread_ = std::thread([this] { Run(); });
}

void CompletionThread::Stop() {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_relaxed);
  doorbell_.Ring();
  thread_.join();
}

void CompletionThread::Add(uint32_t index) {
  // Release: pairs with the acquire in Run.
  ready_.fetch_or(uint32_t{1} << index, std::memory_order_release);
  doorbell_.Ring();
}

void CompletionThread::Run() {
  while (!stop_.load(std::memory_order_relaxed)) {
    doorbell_.Wait();
    uint32_t ready = ready_.exchange(0, std::memory_order_acquire);
    for (; ready != 0; ready &= ready - 1) {
      submitters_[static_cast<size_t>(std::countr_zero(ready))]->DeliverAll();
    }
  }
}

}  // namespace sealane::cli
