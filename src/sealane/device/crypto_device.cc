// SPDX-License-Identifier: Apache-2.0
#include "sealane/device/crypto_device.h"

#include <algorithm>
#include <thread>

#include "sealane/device/algorithm_map.h"
#include "sealane/wire/virtio_crypto_data.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::device {

Result<std::unique_ptr<CryptoDevice>> CryptoDevice::Create(crypto::Engine& engine,
                                                           const Options& options) {
  if (options.num_data_queues == 0 || options.num_data_queues > kMaxDataQueues) {
    return Error{ErrorCode::kInvalid, "the number of data queues must be 1 to 64"};
  }
  if (options.max_sessions == 0 || options.max_sessions > SessionTable::kMaxSessions) {
    return Error{ErrorCode::kInvalid, "the number of sessions must be 1 to 1048576"};
  }
  std::unique_ptr<CryptoDevice> device(new CryptoDevice(engine, options));
  SL_RETURN_IF_ERROR(device->StartWorkers());
  return device;
}

CryptoDevice::CryptoDevice(crypto::Engine& engine, const Options& options)
    : engine_(engine),
      options_(options),
      config_(MakeConfig(engine.caps(), options.num_data_queues, options.compatibility)),
      sessions_(options.max_sessions),
      control_runner_(engine, sessions_, options.compatibility),
      kick_fds_(num_queues(), -1),
      past_stats_(num_queues()) {
  data_workers_.resize(
      std::min(options.num_data_queues, std::max(1U, std::thread::hardware_concurrency())));
}

Result<void> CryptoDevice::StartWorkers() {
  for (DataWorker& data : data_workers_) {
    SL_ASSIGN_OR_RETURN(data.worker, Worker::Create(options_.poll));
    SL_ASSIGN_OR_RETURN(auto lane, engine_.OpenLane(*data.worker));
    data.runner = std::make_unique<DataRunner>(engine_, std::move(lane), sessions_, *data.worker,
                                               options_.compatibility);
  }
  SL_ASSIGN_OR_RETURN(control_worker_, Worker::Create(options_.poll));
  for (DataWorker& data : data_workers_) data.worker->Start(*data.runner);
  control_worker_->Start(control_runner_);
  return {};
}

CryptoDevice::~CryptoDevice() {
  if (control_worker_ && !data_workers_.empty()) Reset();
  if (control_worker_) control_worker_->Stop();
  for (DataWorker& data : data_workers_) {
    if (data.worker) data.worker->Stop();
  }
}

uint64_t CryptoDevice::features() const {
  // Each service takes stateless requests; the bits are in the order of the services.
  const uint64_t stateless = uint64_t{config_.crypto_services.get()}
                             << wire::VIRTIO_CRYPTO_F_CIPHER_STATELESS_MODE;
  return stateless | wire::FeatureMask(wire::VIRTIO_CRYPTO_F_REVISION_1) |
         wire::FeatureMask(wire::VIRTIO_F_VERSION_1) |
         wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC) |
         wire::FeatureMask(wire::VIRTIO_RING_F_EVENT_IDX);
}

Worker& CryptoDevice::ThreadOf(uint32_t index) {
  return index == control_index() ? *control_worker_ : *WorkerOf(index).worker;
}

void CryptoDevice::AttachPort(uint32_t index, std::unique_ptr<QueuePort> port) {
  if (index == control_index()) {
    control_runner_.SetPort(std::move(port));
  } else {
    WorkerOf(index).runner->AddQueue(std::move(port));
  }
}

QueuePort* CryptoDevice::FindPort(uint32_t index) {
  return index == control_index() ? control_runner_.port()
                                  : WorkerOf(index).runner->FindPort(index);
}

void CryptoDevice::DetachPort(uint32_t index, std::optional<uint16_t>& next_avail) {
  QueuePort* const port = FindPort(index);
  if (port == nullptr) return;
  next_avail = port->next_avail();
  past_stats_[index] += port->stats();
  if (index == control_index()) {
    control_runner_.TakePort();
  } else {
    WorkerOf(index).runner->RemoveQueue(index);
  }
}

void CryptoDevice::SetMemory(std::shared_ptr<const mem::GuestMemory> memory) {
  memory_ = std::move(memory);
  for (DataWorker& data : data_workers_) {
    data.worker->Execute([&] { data.runner->SetMemory(memory_); });
  }
  control_worker_->Execute([&] {
    if (control_runner_.port() != nullptr) control_runner_.port()->SetMemory(memory_);
  });
}

Result<void> CryptoDevice::StartQueue(uint32_t index, QueueSetup setup) {
  if (index >= num_queues()) return Error{ErrorCode::kOutOfRange, "no such queue"};
  if (running(index)) return Error{ErrorCode::kInvalid, "the queue is running already"};
  if (!memory_) return Error{ErrorCode::kInvalid, "a queue needs guest memory first"};
  if (!setup.kick.valid()) return Error{ErrorCode::kInvalid, "a queue needs a kick descriptor"};
  const int kick_fd = setup.kick.fd();
  SL_ASSIGN_OR_RETURN(auto port, QueuePort::Create(index, memory_, std::move(setup)));
  SL_RETURN_IF_ERROR(ThreadOf(index).Watch(kick_fd));
  kick_fds_[index] = kick_fd;
  ThreadOf(index).Execute([&] { AttachPort(index, std::move(port)); });
  return {};
}

std::optional<uint16_t> CryptoDevice::StopQueue(uint32_t index) {
  if (index >= num_queues() || !running(index)) return std::nullopt;
  ThreadOf(index).Unwatch(kick_fds_[index]);
  kick_fds_[index] = -1;
  std::optional<uint16_t> next_avail;
  ThreadOf(index).Execute([&] { DetachPort(index, next_avail); });
  return next_avail;
}

void CryptoDevice::SetNotifier(uint32_t index, std::unique_ptr<Notifier> notifier) {
  if (index >= num_queues() || !running(index)) return;
  ThreadOf(index).Execute([&] {
    if (QueuePort* port = FindPort(index)) port->SetNotifier(std::move(notifier));
  });
}

void CryptoDevice::SetError(uint32_t index, EventFd error) {
  if (index >= num_queues() || !running(index)) return;
  ThreadOf(index).Execute([&] {
    if (QueuePort* port = FindPort(index)) port->SetError(std::move(error));
  });
}

std::expected<uint64_t, crypto::Status> CryptoDevice::CreateSession(crypto::SessionParams params) {
  auto session = engine_.CreateSession(std::move(params));
  if (!session.has_value()) return std::unexpected(session.error());
  return sessions_.Create(std::move(*session));
}

std::expected<uint64_t, crypto::Status> CryptoDevice::CreateSession(const SessionFields& fields,
                                                                    SecretBytes key,
                                                                    SecretBytes auth_key) {
  auto params =
      MakeSessionParams(fields, std::move(key), std::move(auth_key), options_.compatibility);
  if (!params.has_value()) return std::unexpected(params.error());
  return CreateSession(std::move(*params));
}

void CryptoDevice::CloseAllSessions() {
  sessions_.CloseAll();
  // At a quiet point a worker has let go of closed sessions.
  for (DataWorker& data : data_workers_) data.worker->Execute([] {});
}

void CryptoDevice::Reset() {
  for (uint32_t index = 0; index < num_queues(); ++index) StopQueue(index);
  CloseAllSessions();
  SetMemory(nullptr);
}

QueueStats CryptoDevice::stats(uint32_t index) {
  QueueStats total;
  ThreadOf(index).Execute([&] {
    total = past_stats_[index];
    if (QueuePort* port = FindPort(index)) total += port->stats();
  });
  return total;
}

void CryptoDevice::ClearStats() {
  for (uint32_t index = 0; index < num_queues(); ++index) {
    ThreadOf(index).Execute([&] {
      past_stats_[index] = {};
      if (QueuePort* port = FindPort(index)) port->stats() = {};
    });
  }
}

}  // namespace sealane::device
