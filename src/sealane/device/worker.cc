// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/worker.h"

#include <sys/epoll.h>

#include <array>
#include <future>
#include <utility>

#include "sealane/base/check.h"
#include "sealane/base/cpu_relax.h"

namespace sealane::device {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Result<std::unique_ptr<Worker>> Worker::Create(std::chrono::microseconds poll) {
  std::unique_ptr<Worker> worker(new Worker(poll));
  worker->epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!worker->epoll_.valid()) return SystemError("epoll_create1");
  SL_ASSIGN_OR_RETURN(worker->wake_, EventFd::Create());
  SL_RETURN_IF_ERROR(worker->Watch(worker->wake_.fd()));
  return worker;
}

Worker::~Worker() { Stop(); }

void Worker::Start(Runner& runner) {
  SL_CHECK(!thread_.joinable());
  runner_ = &runner;
  stop_.store(false, std::memory_order_relaxed);
  thread_ = std::thread([this] { Run(); });
}

void Worker::Stop() {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);  // pairs with the acquire in Run
  wake_.Signal();
  thread_.join();
}

void Worker::Execute(const std::function<void()>& change) {
  std::promise<void> done;
  {
    const std::lock_guard lock(mutex_);
    mailbox_.emplace_back([&change, &done] {
      change();
      done.set_value();
    });
    has_mail_.store(true, std::memory_order_release);  // pairs with the acquire in Run
  }
  wake_.Signal();
  done.get_future().wait();
}

Result<void> Worker::Watch(int fd) {
  // Edge-triggered: a descriptor that a peer made readable for ever wakes us once, not for ever.
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.fd = fd}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return SystemError("epoll_ctl on a kick descriptor");
  }
  return {};
}

void Worker::Unwatch(int fd) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

void Worker::Run() {
  while (!stop_.load(std::memory_order_acquire)) {
    if (has_mail_.load(std::memory_order_acquire)) RunMailbox();
    if (runner_->RunOnce() != 0 || Spin()) continue;
    // Either we see what came meanwhile, or the driver sees that we want a kick.
    if (!runner_->Arm()) Sleep();
    runner_->Disarm();
  }
  runner_->Drain();
}

bool Worker::Spin() {
  const Clock::duration budget = spin_.budget();
  if (budget == Clock::duration::zero()) return false;
  const Clock::time_point end = Clock::now() + budget;
  do {
    // Looking at the clock costs more than looking at the rings.
    for (int i = 0; i < 16; ++i) {
      if (has_mail_.load(std::memory_order_acquire)) return true;
      if (runner_->RunOnce() != 0) {
        spin_.SpinFoundWork();
        return true;
      }
      CpuRelax();
    }
  } while (Clock::now() < end);
  spin_.SpinFoundNothing();
  return false;
}

void Worker::Sleep() {
  const Clock::time_point start = Clock::now();
  std::array<epoll_event, 8> events;
  const int n = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
  spin_.Slept(Clock::now() - start);
  for (int i = 0; i < n; ++i) {
    if (events[static_cast<size_t>(i)].data.fd == wake_.fd()) wake_.Drain();
  }
}

void Worker::RunMailbox() {
  std::vector<std::function<void()>> mail;
  {
    const std::lock_guard lock(mutex_);
    mail = std::exchange(mailbox_, {});
    has_mail_.store(false, std::memory_order_relaxed);
  }
  runner_->Drain();
  for (const auto& change : mail) change();
}

}  // namespace sealane::device
