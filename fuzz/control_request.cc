// SPDX-License-Identifier: Apache-2.0
//
// Control requests of a hostile driver, in any framing, against a real engine and a small session
// table. Whatever they are: each chain comes back once, the result fits, and nothing else in the
// writable part changes.
//
// Input: up to kMaxRequests records: writable bytes (mod 40); the length that descriptors are cut
// into (0: whole), plus 0x80 to put the chain into the ring and not into an indirect table; number
// of readable bytes; those bytes.
#include <algorithm>
#include <memory>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/device/control_runner.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/fake_driver_queue.h"
#include "sealane/wire/virtio_crypto.h"

namespace {

using sealane::crypto::OpenSslEngine;
using sealane::device::ControlRunner;
using sealane::device::QueuePort;
using sealane::device::QueueSetup;
using sealane::device::SessionTable;
using sealane::testing::ChainBuilder;
using sealane::testing::FakeDriverQueue;
using sealane::testing::GuestFixture;

constexpr size_t kMaxRequests = 8;
constexpr uint32_t kMaxSessions = 4;
constexpr uint32_t kQueueSize = 512;  // holds the longest chain, one byte a descriptor
constexpr uint64_t kRegionSize = 64 * 1024;
constexpr uint32_t kResultLen = sizeof(sealane::wire::virtio_crypto_session_input);
constexpr uint8_t kUntouched = 0xee;  // what ChainBuilder fills with

struct Record {
  uint32_t room = 0;
  uint32_t piece = 0;
  bool direct = false;
  std::span<const uint8_t> readable;
};

bool TakeRecord(std::span<const uint8_t>& input, Record& record) {
  constexpr size_t kHead = 3;
  if (input.size() < kHead) return false;
  record.room = input[0] % 40;
  record.piece = input[1] & 0x7fU;
  record.direct = (input[1] & 0x80U) != 0;
  const size_t len = std::min<size_t>(input[2], input.size() - kHead);
  record.readable = input.subspan(kHead, len);
  input = input.subspan(kHead + len);
  return true;
}

void CheckWritten(const ChainBuilder& chain, uint32_t used_len) {
  const std::vector<uint8_t> written = chain.written();
  SL_CHECK(used_len == 0 || used_len == 1 || used_len == kResultLen);
  SL_CHECK(used_len <= written.size());
  const auto untouched = [](uint8_t byte) { return byte == kUntouched; };
  if (used_len == kResultLen) {
    SL_CHECK(std::all_of(written.begin() + kResultLen, written.end(), untouched));
  } else {
    SL_CHECK(std::all_of(written.begin(), written.end() - used_len, untouched));
    SL_CHECK(used_len == 0 || !untouched(written.back()));
  }
}

void RunRecord(const Record& record, GuestFixture& guest, FakeDriverQueue& queue,
               ControlRunner& runner) {
  ChainBuilder chain(guest);
  if (!record.readable.empty()) chain.Readable(record.readable);
  if (record.room != 0) chain.Writable(record.room);
  if (chain.num_descriptors() == 0) return;
  if (record.piece != 0) chain.CutInto(record.piece);
  const uint16_t head = record.direct ? chain.OfferDirect(queue) : chain.OfferIndirect(queue);
  queue.Publish();
  SL_CHECK(runner.RunOnce() == 1);
  const auto used = queue.TakeUsed();
  SL_CHECK(used.size() == 1 && used[0].id == head);
  CheckWritten(chain, used[0].len);
  SL_CHECK(runner.RunOnce() == 0);
}

OpenSslEngine& Engine() {
  static const std::unique_ptr<OpenSslEngine> engine = std::move(OpenSslEngine::Create().value());
  return *engine;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  GuestFixture guest(kRegionSize);
  FakeDriverQueue queue(guest, kQueueSize);
  SessionTable sessions(kMaxSessions);
  ControlRunner runner(Engine(), sessions, {});
  QueueSetup setup;
  setup.size = kQueueSize;
  setup.location = queue.location();
  runner.SetPort(QueuePort::Create(0, guest.memory(), std::move(setup)).value());

  std::span<const uint8_t> input(data, size);
  Record record;
  for (size_t i = 0; i < kMaxRequests && TakeRecord(input, record); ++i) {
    RunRecord(record, guest, queue, runner);
    SL_CHECK(sessions.size() <= kMaxSessions);
  }
  return 0;
}
