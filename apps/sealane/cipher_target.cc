// SPDX-License-Identifier: Apache-2.0
#include "cipher_target.h"

namespace sealane::cli {

CipherTarget::CipherTarget(BenchCipher& cipher, size_t capacity) : cipher_(cipher) {
  tickets_.reserve(capacity);
}

void CipherTarget::Launch(crypto::EngineQueue& queue) {
  queue_ = &queue;
  thread_ = std::thread([this] { Run(); });
}

void CipherTarget::Stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

crypto::StartResult CipherTarget::Start(crypto::EngineJob& /*job*/, crypto::Ticket ticket) {
  bool sleeps = false;
  {
    const std::lock_guard lock(mutex_);
    tickets_.push_back(ticket);
    sleeps = sleeps_;
  }
  if (sleeps) changed_.notify_one();
  return {};
}

bool CipherTarget::Next(crypto::Ticket& ticket) {
  std::unique_lock lock(mutex_);
  sleeps_ = true;
  changed_.wait(lock, [this] { return stop_ || !tickets_.empty(); });
  sleeps_ = false;
  if (tickets_.empty()) return false;
  ticket = tickets_.front();
  tickets_.erase(tickets_.begin());  // of a few
  return true;
}

void CipherTarget::Run() {
  crypto::Ticket ticket;
  while (Next(ticket)) {
    crypto::EngineJob* const job = queue_->Pin(ticket);
    bool done = false;
    if (job != nullptr) {
      auto& cipher_job = static_cast<CipherJob&>(*job);
      done = cipher_.Crypt(cipher_job.in, cipher_job.out);
    }
    queue_->Finish(ticket, done ? crypto::Status::kOk : crypto::Status::kError);
  }
}

}  // namespace sealane::cli
