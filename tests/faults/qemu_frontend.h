// SPDX-License-Identifier: Apache-2.0
//
// QemuFrontend: the messages that QEMU's cryptodev-vhost-user was seen to send, in their order and
// byte by byte, over a socket of its own; behind it a guest whose driver negotiated EVENT_IDX with
// QEMU (the back-end never learns that) and kicks only when avail_event says so. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sealane/base/event_fd.h"
#include "sealane/testing/fake_driver_queue.h"
#include "sealane/testing/guest_fixture.h"
#include "sealane/vhost_user/connection.h"

namespace sealane::faults {

enum class Layout : uint8_t { kL1, kL2, kL3 };

// The session description with the key of SP 800-38A, F.2.1, AES-CBC, encrypting.
std::vector<uint8_t> SessionPayload(Layout layout);
// Where a layout has its cipher, key length and, in the reply, the id.
size_t CipherOffset(Layout layout);
size_t KeyLenOffset(Layout layout);
size_t IdOffset(Layout layout);

class QemuFrontend {
 public:
  // `all_bits`: QEMU with every protocol feature that it knows (it then hands memory over region
  // by region and sends SET_STATUS); else the least: MQ, REPLY_ACK, CRYPTO_SESSION.
  QemuFrontend(const std::string& socket_path, bool all_bits);

  // The first half, when QEMU starts; the second, when the guest's driver is ready.
  void Connect();
  void DriverOk(uint64_t features = 0x40000000);
  // When the driver goes: where the ring stopped.
  uint32_t Stop();

  // The id in the reply to any payload; the reply must have its size.
  int64_t CreateSession(std::span<const uint8_t> payload, size_t id_offset);
  int64_t CreateSession(Layout layout) {
    return CreateSession(SessionPayload(layout), IdOffset(layout));
  }
  void CloseSession(uint64_t id);
  // Whether the back-end still answers.
  bool IsAlive();

  // One request of the guest's driver: its status; nothing if it did not come back. `right`: the
  // result is the right one.
  std::optional<uint8_t> Request(uint64_t session, bool& right);

 private:
  void Send(uint32_t request, std::span<const uint8_t> payload, std::span<const int> fds = {},
            bool need_reply = false);
  std::vector<uint8_t> Receive(uint32_t request);
  uint64_t Query(uint32_t request);
  void SendU64(uint32_t request, uint64_t value, std::span<const int> fds = {});
  void SendMemory();

  bool all_bits_;
  testing::GuestFixture guest_;
  testing::FakeDriverQueue queue_{guest_, 1024};
  EventFd kick_ = EventFd::Create().value();
  EventFd call_ = EventFd::Create().value();
  EventFd error_ = EventFd::Create().value();
  vhost_user::Connection connection_;
};

}  // namespace sealane::faults
