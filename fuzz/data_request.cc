// SPDX-License-Identifier: Apache-2.0
//
// Data requests of a hostile driver, in any framing and all at once, against a session of each
// cipher and direction. Whatever they are: each chain comes back once, and nothing but the result
// and the status changes.
//
// Input: up to kMaxRequests records of kRecordHead bytes (numbers little-endian) and readable
// bytes:
//   session (1 byte: its place in the list of all, 0xff: the header's first 72 bytes are the
//   readable bytes themselves), opcode (1), op_type (1), iv_len (1), src_len (2), dst_len (2),
//   writable bytes (2, mod 2048), length that descriptors are cut into (1; 0: whole), number of
//   readable bytes behind the header (1).
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/device/data_runner.h"
#include "sealane/testing/chain_builder.h"
#include "sealane/testing/crypto_requests.h"
#include "sealane/testing/fake_driver_queue.h"

namespace {

using sealane::SecretBytes;
using sealane::crypto::CipherAlgorithm;
using sealane::crypto::Direction;
using sealane::crypto::OpenSslEngine;
using sealane::device::DataRunner;
using sealane::device::QueuePort;
using sealane::device::QueueSetup;
using sealane::device::SessionTable;
using sealane::testing::ChainBuilder;
using sealane::testing::CipherRequest;
using sealane::testing::FakeDriverQueue;
using sealane::testing::GuestFixture;

constexpr size_t kMaxRequests = 8;
constexpr size_t kRecordHead = 12;
constexpr uint32_t kQueueSize = 16;
constexpr uint64_t kRegionSize = 256 * 1024;
// Those that the engine offers are the first ones.
constexpr size_t kNumCiphers = static_cast<size_t>(CipherAlgorithm::kDes3Ctr) + 1;
constexpr size_t kNumSessions = 2 * kNumCiphers;
constexpr uint8_t kRawHeader = 0xff;
constexpr uint8_t kUntouched = 0xee;  // what ChainBuilder fills with

class NullWaker final : public sealane::crypto::Waker {
 public:
  void Wake() override {}
};

OpenSslEngine& Engine() {
  static const std::unique_ptr<OpenSslEngine> engine = std::move(OpenSslEngine::Create().value());
  return *engine;
}

// A session of each cipher and direction; their ids.
std::array<uint64_t, kNumSessions> CreateSessions(SessionTable& table) {
  std::array<uint64_t, kNumSessions> ids{};
  for (size_t i = 0; i < kNumSessions; ++i) {
    const auto algorithm = static_cast<CipherAlgorithm>(i / 2);
    size_t key_len = 64;
    while (!sealane::crypto::IsValidKeyLen(algorithm, key_len)) --key_len;
    SecretBytes key(key_len);
    for (size_t k = 0; k < key_len; ++k) key.mutable_bytes()[k] = static_cast<uint8_t>(k);
    auto session = Engine().CreateSession(sealane::crypto::CipherParams{
        .algorithm = algorithm,
        .direction = i % 2 == 0 ? Direction::kEncrypt : Direction::kDecrypt,
        .key = std::move(key)});
    ids[i] = table.Create(std::move(*session)).value();
  }
  return ids;
}

// One record as a chain on the queue; nothing at the end of the input.
struct Offered {
  ChainBuilder chain;
  uint64_t src_len;
};

bool Offer(std::span<const uint8_t>& input, std::span<const uint64_t> ids, GuestFixture& guest,
           FakeDriverQueue& queue, std::vector<Offered>& offered) {
  if (input.size() < kRecordHead) return false;
  const auto word = [&](size_t at) -> uint32_t { return input[at] + input[at + 1] * 256U; };
  const CipherRequest request{.opcode = input[1],
                              .session_id = input[0] < ids.size() ? ids[input[0]] : input[0],
                              .iv_len = input[3],
                              .src_len = word(4),
                              .dst_len = word(6),
                              .op_type = input[2]};
  const bool raw = input[0] == kRawHeader;
  const uint32_t room = word(8) % 2048;
  const uint8_t piece = input[10];
  const size_t len = std::min<size_t>(input[11], input.size() - kRecordHead);
  ChainBuilder chain(guest);
  if (!raw) chain.Readable(request.Bytes());
  if (len != 0) chain.Readable(input.subspan(kRecordHead, len));
  if (room != 0) chain.Writable(room);
  input = input.subspan(kRecordHead + len);
  if (chain.num_descriptors() == 0) return true;
  if (piece != 0) chain.CutInto(piece);
  chain.OfferIndirect(queue, static_cast<uint16_t>(offered.size()));
  offered.push_back({std::move(chain), raw ? ~uint64_t{0} : request.src_len});
  return true;
}

void Check(const Offered& request, uint32_t used_len) {
  const std::vector<uint8_t> written = request.chain.written();
  SL_CHECK(used_len <= written.size());
  if (used_len == 0) {
    SL_CHECK(written.empty());
    return;
  }
  const bool any_len = request.src_len == ~uint64_t{0};
  SL_CHECK(used_len == 1 || any_len || used_len == request.src_len + 1);
  SL_CHECK(written.back() != kUntouched);
  SL_CHECK(used_len == 1 || written.back() == sealane::wire::VIRTIO_CRYPTO_OK);
  SL_CHECK(std::all_of(written.begin() + (used_len - 1), written.end() - 1,
                       [](uint8_t byte) { return byte == kUntouched; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  GuestFixture guest(kRegionSize);
  FakeDriverQueue queue(guest, kQueueSize);
  SessionTable sessions(kNumSessions);
  NullWaker waker;
  DataRunner runner(Engine(), Engine().OpenLane(waker).value(), sessions, waker, {});
  const auto ids = CreateSessions(sessions);
  QueueSetup setup;
  setup.size = kQueueSize;
  setup.location = queue.location();
  runner.AddQueue(QueuePort::Create(0, guest.memory(), std::move(setup)).value());

  std::span<const uint8_t> input(data, size);
  std::vector<Offered> offered;
  for (size_t i = 0; i < kMaxRequests; ++i) {
    if (!Offer(input, ids, guest, queue, offered)) break;
  }
  queue.Publish();
  while (runner.RunOnce() != 0) {
  }
  const auto used = queue.TakeUsed();
  SL_CHECK(used.size() == offered.size());
  std::vector<bool> seen(offered.size());
  for (const auto& elem : used) {
    SL_CHECK(elem.id < offered.size() && !seen[elem.id]);
    seen[elem.id] = true;
    Check(offered[elem.id], elem.len);
  }
  return 0;
}
