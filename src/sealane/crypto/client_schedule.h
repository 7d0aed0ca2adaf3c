// SPDX-License-Identifier: Apache-2.0
//
// ClientSchedule: whose job is started next: deficit round-robin by bytes (Shreedhar and Varghese,
// 1995). Each turn gives a client a quantum, and it starts jobs as long as they fit what it has
// saved. A part of EngineQueue, under its lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sealane/crypto/queue_client.h"

namespace sealane::crypto {

class ClientSchedule {
 public:
  static constexpr uint64_t kQuantum = uint64_t{64} << 10;
  // What a job counts for at least, so that empty ones are not for free; and at most, which bounds
  // the turns that Next makes.
  static constexpr uint64_t kMinCost = 256;
  static constexpr uint64_t kMaxCost = uint64_t{1} << 24;

  void Add(QueueClient& client) { clients_.push_back(&client); }
  void Remove(QueueClient& client);

  // The client whose first queued job is to be started; null if nothing is queued.
  QueueClient* Next();
  // `job` of `client` was started.
  static void Charge(QueueClient& client, const EngineJob& job);

  const std::vector<QueueClient*>& clients() const { return clients_; }

 private:
  static uint64_t CostOf(const EngineJob& job);
  void NextTurn();

  std::vector<QueueClient*> clients_;
  size_t turn_ = 0;  // the client whose turn it is
};

}  // namespace sealane::crypto
