// SPDX-License-Identifier: Apache-2.0
//
// CryptoDevice: a virtio-crypto device (virtio 1.3, 5.9) without a transport: sessions, queues,
// workers. The back-end puts it behind a vhost-user socket, loopback beside a driver. It knows
// neither.
//
// Queues 0 to num_data_queues - 1 are data queues, queue num_data_queues is the control queue.
// CreateSession and CloseSession: any thread. Everything else: one thread at a time, the owner's.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <vector>

#include "sealane/crypto/engine.h"
#include "sealane/device/algorithm_map.h"
#include "sealane/device/control_runner.h"
#include "sealane/device/data_runner.h"
#include "sealane/device/queue_port.h"
#include "sealane/device/session_fields.h"
#include "sealane/device/session_table.h"
#include "sealane/device/worker.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::device {

class CryptoDevice {
 public:
  struct Options {
    uint32_t num_data_queues = 1;        // 1 to 64
    uint32_t max_sessions = 8192;        // 1 to SessionTable::kMaxSessions
    std::chrono::microseconds poll{50};  // how long a worker polls before it sleeps
    Compatibility compatibility{};
  };
  static constexpr uint32_t kMaxDataQueues = 64;

  // The engine outlives the device. Starts the workers: as many as there are data queues, but not
  // more than processors, and one for the control queue.
  static Result<std::unique_ptr<CryptoDevice>> Create(crypto::Engine& engine,
                                                      const Options& options);
  ~CryptoDevice();

  // Virtio feature bits that the device offers (transport bits are the transport's).
  uint64_t features() const;
  const wire::virtio_crypto_config& config() const { return config_; }
  uint32_t num_data_queues() const { return options_.num_data_queues; }
  uint32_t control_index() const { return options_.num_data_queues; }
  uint32_t num_queues() const { return options_.num_data_queues + 1; }

  // Gives every running queue another memory table, after finishing what is in flight. When this
  // returns nobody uses the old one. A queue whose ring is not in the new table breaks.
  void SetMemory(std::shared_ptr<const mem::GuestMemory> memory);

  // Starts a queue that is not running, in the memory set last.
  Result<void> StartQueue(uint32_t index, QueueSetup setup);
  // Finishes what is in flight and stops. Returns where the queue would go on, nothing if it was
  // not running.
  std::optional<uint16_t> StopQueue(uint32_t index);
  bool running(uint32_t index) const { return kick_fds_[index] >= 0; }
  // Another way to interrupt; null for none.
  void SetNotifier(uint32_t index, std::unique_ptr<Notifier> notifier);
  // Another descriptor to ring when the queue breaks (or has broken already).
  void SetError(uint32_t index, EventFd error);

  std::expected<uint64_t, crypto::Status> CreateSession(crypto::SessionParams params);
  // The same of what a message says.
  std::expected<uint64_t, crypto::Status> CreateSession(const SessionFields& fields,
                                                        SecretBytes key, SecretBytes auth_key);
  bool CloseSession(uint64_t id) { return sessions_.Close(id); }
  // When this returns no worker holds a key any more.
  void CloseAllSessions();
  uint32_t num_sessions() const { return sessions_.size(); }

  // Stops every queue, closes every session and lets go of the memory.
  void Reset();

  // What a queue has done since the last ClearStats, over all its starts and stops.
  QueueStats stats(uint32_t index);
  void ClearStats();

 private:
  struct DataWorker {
    std::unique_ptr<Worker> worker;
    std::unique_ptr<DataRunner> runner;
  };

  CryptoDevice(crypto::Engine& engine, const Options& options);
  Result<void> StartWorkers();
  DataWorker& WorkerOf(uint32_t index) { return data_workers_[index % data_workers_.size()]; }
  Worker& ThreadOf(uint32_t index);
  // On the queue's thread only.
  void AttachPort(uint32_t index, std::unique_ptr<QueuePort> port);
  QueuePort* FindPort(uint32_t index);
  void DetachPort(uint32_t index, std::optional<uint16_t>& next_avail);

  crypto::Engine& engine_;
  const Options options_;
  const wire::virtio_crypto_config config_;
  SessionTable sessions_;
  std::shared_ptr<const mem::GuestMemory> memory_;
  std::vector<DataWorker> data_workers_;
  ControlRunner control_runner_;
  std::unique_ptr<Worker> control_worker_;
  std::vector<int> kick_fds_;  // by queue; -1: not running
  std::vector<QueueStats> past_stats_;
};

}  // namespace sealane::device
