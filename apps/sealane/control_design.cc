// SPDX-License-Identifier: Apache-2.0
#include "control_design.h"

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "sealane/base/cpu_relax.h"
#include "sealane/driver/control_request.h"
#include "sealane/driver/control_slots.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::cli {
namespace {

using driver::SessionId;

constexpr uint32_t kQueueSize = 64;
constexpr std::chrono::seconds kPatience{20};

class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      while (flag_.test(std::memory_order_relaxed)) CpuRelax();
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

class SpinYieldLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      while (flag_.test(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

// The lock is held from the request to its answer. One request at a time, so one slot will do.
template <class Lock>
class LockedPolling final : public ControlDesign {
 public:
  static CommandResult<std::unique_ptr<ControlDesign>> Open(
      std::unique_ptr<driver::Transport> transport) {
    auto queue = driver::CreateQueue(*transport, kQueueSize);
    auto slot = driver::ControlSlots::Create(transport->memory(), 1);
    if (!queue || !slot) return Failed("no memory for a control queue");
    const auto index = static_cast<uint16_t>(transport->config().max_data_queues);
    if (!transport->StartQueue(index, queue->location)) return Failed("no control queue");
    return std::unique_ptr<ControlDesign>(
        new LockedPolling(std::move(transport), index, std::move(*queue), std::move(*slot)));
  }
  ~LockedPolling() override { static_cast<void>(transport_->StopQueue(index_)); }

  std::optional<SessionId> Create() override {
    return Exchange(*driver::EncodeCreate(BenchSession()), true);
  }
  bool Close(SessionId session) override {
    return Exchange(driver::EncodeDestroy(driver::Service::kCipher, session), false).has_value();
  }

 private:
  LockedPolling(std::unique_ptr<driver::Transport> transport, uint16_t index,
                driver::QueueMemory queue, driver::ControlSlots slot)
      : transport_(std::move(transport)),
        index_(index),
        ring_memory_(std::move(queue.memory)),
        queue_(std::move(queue.queue)),
        slot_(std::move(slot)) {}

  std::optional<SessionId> Exchange(const driver::ControlRequest& request, bool creates) {
    const std::lock_guard guard(lock_);
    if (broken_) return std::nullopt;
    const auto chain = slot_.Fill(0, request, creates);
    if (!chain || !queue_.Add({&chain->readable, 1}, {&chain->writable, 1})) return std::nullopt;
    queue_.Publish();
    if (queue_.NeedsKick()) transport_->Kick(index_);
    std::array<ring::driver::Used, 1> used;
    if (!PollFor(used)) {
      broken_ = true;
      return std::nullopt;
    }
    const auto answer = slot_.ReadAnswer(0, used[0].len);
    return answer ? std::optional(*answer) : std::nullopt;
  }

  bool PollFor(std::span<ring::driver::Used> used) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    for (uint32_t i = 1; queue_.Poll(used) == 0; ++i) {
      if (queue_.broken()) return false;
      if (i % 65536 == 0 && std::chrono::steady_clock::now() >= end) return false;
      CpuRelax();
    }
    return true;
  }

  std::unique_ptr<driver::Transport> transport_;
  const uint16_t index_;
  Lock lock_;
  driver::DmaBuffer ring_memory_;
  ring::driver::SplitQueue queue_;
  driver::ControlSlots slot_;
  bool broken_ = false;
};

class Waiting final : public ControlDesign {
 public:
  explicit Waiting(std::unique_ptr<driver::CryptoDriver> driver) : driver_(std::move(driver)) {}
  std::optional<SessionId> Create() override {
    const auto session = driver_->CreateSession(BenchSession());
    return session ? std::optional(*session) : std::nullopt;
  }
  bool Close(SessionId session) override { return driver_->CloseSession(session).has_value(); }

 private:
  std::unique_ptr<driver::CryptoDriver> driver_;
};

}  // namespace

std::string_view NameOf(DesignKind kind) {
  switch (kind) {
    case DesignKind::kWaiting:
      return "waiting";
    case DesignKind::kMutex:
      return "mutex";
    case DesignKind::kSpinYield:
      return "spin_yield";
    case DesignKind::kSpin:
      return "spin";
  }
  return "";
}

driver::CipherSessionParams BenchSession() {
  static constexpr std::array<uint8_t, 16> kKey = {1, 2, 3, 4, 5, 6, 7, 8};
  return {.algorithm = wire::VIRTIO_CRYPTO_CIPHER_AES_CBC,
          .direction = driver::Operation::kEncrypt,
          .key = kKey};
}

CommandResult<std::unique_ptr<ControlDesign>> OpenDesign(DesignKind kind,
                                                         const DeviceOption& option) {
  if (kind == DesignKind::kWaiting) {
    SL_ASSIGN_OR_RETURN(auto driver, OpenDriver(option, {}));
    return std::unique_ptr<ControlDesign>(std::make_unique<Waiting>(std::move(driver)));
  }
  SL_ASSIGN_OR_RETURN(auto transport, OpenTransport(option));
  if (kind == DesignKind::kMutex) return LockedPolling<std::mutex>::Open(std::move(transport));
  if (kind == DesignKind::kSpin) return LockedPolling<SpinLock>::Open(std::move(transport));
  return LockedPolling<SpinYieldLock>::Open(std::move(transport));
}

}  // namespace sealane::cli
