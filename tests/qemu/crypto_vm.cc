// SPDX-License-Identifier: Apache-2.0
#include "crypto_vm.h"

#include <chrono>
#include <thread>

#include "chain_memory.h"
#include "sealane/wire/virtio_crypto.h"

namespace sealane::testing {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kRamSize = size_t{64} << 20;
constexpr uint16_t kVirtioVendor = 0x1af4;
constexpr uint16_t kModernDeviceBase = 0x1040;
constexpr uint64_t kFeatures = wire::FeatureMask(wire::VIRTIO_F_VERSION_1) |
                               wire::FeatureMask(wire::VIRTIO_RING_F_INDIRECT_DESC);

// A device that answers does so within a millisecond; one that never will is waited for this long.
constexpr std::chrono::milliseconds kAnswerPatience{3000};
constexpr std::chrono::milliseconds kEndPatience{5000};
constexpr std::chrono::microseconds kPause{50};

std::vector<std::string> DeviceArguments(const std::optional<std::string>& vhost_user_socket) {
  if (!vhost_user_socket) {
    return {"-object", "cryptodev-backend-builtin,id=crypto", "-device",
            "virtio-crypto-pci,cryptodev=crypto,vectors=0"};
  }
  // QEMU 7.2 without KVM needs vectors=0: with MSI-X it crashes at DRIVER_OK.
  return {"-chardev", "socket,id=backend,path=" + *vhost_user_socket,
          "-object",  "cryptodev-vhost-user,id=crypto,chardev=backend",
          "-device",  "virtio-crypto-pci,cryptodev=crypto,vectors=0"};
}

}  // namespace

CryptoVm::CryptoVm(std::optional<std::string> vhost_user_socket)
    : vhost_user_socket_(std::move(vhost_user_socket)), ram_(kRamSize), empty_mark_(ram_.mark()) {}

bool CryptoVm::Prepare() {
  if (qemu_ && !spoilt_ && qemu_->client().ok() && SetUpDevice()) return true;
  spoilt_ = false;
  return StartQemu() && SetUpDevice();
}

bool CryptoVm::StartQemu() {
  virtio_.reset();
  qemu_.reset();  // a back-end serves one front-end at a time
  qemu_ = std::make_unique<QemuProcess>(ram_, DeviceArguments(vhost_user_socket_));
  QtestClient& qtest = qemu_->client();
  if (!qtest.ok()) return false;
  const auto pci = PciDevice::Find(qtest, kVirtioVendor, kModernDeviceBase + wire::kVirtioIdCrypto);
  if (pci) virtio_ = VirtioPci::Open(qtest, *pci);
  return virtio_.has_value();
}

bool CryptoVm::SetUpDevice() {
  if (!virtio_->Negotiate(kFeatures)) return false;
  ram_.Release(empty_mark_);
  const uint32_t num_data_queues =
      virtio_->ReadDeviceConfig32(offsetof(wire::virtio_crypto_config, max_dataqueues));
  SetUpQueue(data_, 0);
  SetUpQueue(control_, static_cast<uint16_t>(num_data_queues));
  virtio_->DriverOk();
  return qemu_->client().ok();
}

void CryptoVm::SetUpQueue(Queue& queue, uint16_t index) {
  queue.index = index;
  queue.ring.emplace(ram_, virtio_->QueueSize(index));
  queue.notify_addr = virtio_->EnableQueue(index, queue.ring->addresses());
}

Answer CryptoVm::Control(const ChainShape& shape) { return Run(control_, shape); }
Answer CryptoVm::Data(const ChainShape& shape) { return Run(data_, shape); }

Answer CryptoVm::Run(Queue& queue, const ChainShape& shape) {
  const uint64_t mark = ram_.mark();
  const ChainMemory memory(ram_, shape);
  memory.WriteDescriptors(*queue.ring);
  queue.ring->Push(0);
  queue.ring->Publish();
  client().Write(queue.notify_addr, AccessSize::k2, queue.index);
  Answer answer;
  answer.ending = Await(queue, answer);
  answer.written = memory.Written();
  answer.overrun = memory.GuardsChanged();
  if (answer.ending == Ending::kSilence || answer.ending == Ending::kQemuEnded) spoilt_ = true;
  ram_.Release(mark);
  return answer;
}

Ending CryptoVm::Await(Queue& queue, Answer& answer) {
  const auto end = Clock::now() + kAnswerPatience;
  while (Clock::now() < end) {
    if (const auto entry = queue.ring->PopUsed()) {
      answer.used_len = entry->len.get();
      return Ending::kUsed;
    }
    const uint8_t status = virtio_->status();
    if (!client().ok()) break;
    if ((status & wire::VIRTIO_CONFIG_S_NEEDS_RESET) != 0) return Ending::kNeedsReset;
    std::this_thread::sleep_for(kPause);
  }
  if (!client().ok() && qemu_->HasEnded(kEndPatience)) return Ending::kQemuEnded;
  return Ending::kSilence;
}

}  // namespace sealane::testing
