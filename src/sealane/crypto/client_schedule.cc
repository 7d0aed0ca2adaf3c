// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/client_schedule.h"

#include <algorithm>

namespace sealane::crypto {

uint64_t ClientSchedule::CostOf(const EngineJob& job) { return std::max(job.cost, kMinCost); }

void ClientSchedule::Remove(QueueClient& client) {
  std::erase(clients_, &client);
  turn_ = 0;
}

QueueClient* ClientSchedule::Next() {
  const bool is_idle = std::ranges::all_of(
      clients_, [](const QueueClient* client) { return client->queue_.empty(); });
  if (is_idle) return nullptr;
  while (true) {
    QueueClient& client = *clients_[turn_];
    if (!client.queue_.empty() && CostOf(client.queue_.front()) <= client.deficit_) return &client;
    // Who has nothing to start saves nothing up.
    if (client.queue_.empty()) client.deficit_ = 0;
    NextTurn();
  }
}

void ClientSchedule::NextTurn() {
  turn_ = (turn_ + 1) % clients_.size();
  clients_[turn_]->deficit_ += kQuantum;
}

void ClientSchedule::Charge(QueueClient& client, const EngineJob& job) {
  client.deficit_ -= std::min(client.deficit_, CostOf(job));
}

}  // namespace sealane::crypto
