// SPDX-License-Identifier: Apache-2.0
//
// Guest memory with a ring in it as a hostile driver may have written it, served by the device's
// queue for several rounds. Whatever the bytes are: no access outside memory, no more chains than
// were shown, and lengths that agree with the ranges.
//
// Input: log2 of the queue size (mod 8); EventMode (mod 3), plus 0x80 for front-end addresses; the
// first index (2 bytes, little-endian); number of rounds (mod 8, plus 1); objects per Pop (mod 64,
// plus 1); for each round the avail index it publishes (2 bytes, little-endian); the rest is guest
// memory from GuestFixture::kBase on. It begins with the descriptor table, the avail ring and the
// used ring, one behind the other.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "sealane/base/check.h"
#include "sealane/ring/device/split_queue.h"
#include "sealane/ring/range_cursor.h"
#include "sealane/testing/guest_fixture.h"

namespace {

using sealane::mem::FrontendAddr;
using sealane::mem::GuestAddr;
using sealane::mem::GuestRange;
using sealane::ring::Completion;
using sealane::ring::DescriptorChain;
using sealane::ring::EventMode;
using sealane::ring::RangeCursor;
using sealane::ring::RingAddresses;
using sealane::ring::RingLocation;
using sealane::ring::device::SplitQueue;
using sealane::testing::GuestFixture;
namespace wire = sealane::wire;

constexpr uint64_t kRegionSize = 4096;
constexpr size_t kMaxChains = 64;

class Input {
 public:
  explicit Input(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const uint8_t value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  uint16_t Word() {
    const uint8_t low = Byte();
    return static_cast<uint16_t>(low | Byte() << 8);
  }
  std::span<const uint8_t> rest() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

struct Plan {
  RingAddresses<GuestAddr> ring;
  SplitQueue::Config config;
  size_t batch = 1;
  std::vector<uint16_t> indices;  // what each round publishes
};

RingAddresses<GuestAddr> LayOut(uint32_t size) {
  const uint64_t avail = GuestFixture::kBase + wire::DescTableSize(size);
  const uint64_t used = (avail + wire::AvailRingSize(size) + 3) / 4 * 4;
  return {GuestAddr{GuestFixture::kBase}, GuestAddr{avail}, GuestAddr{used}};
}

RingLocation Location(const GuestFixture& guest, const RingAddresses<GuestAddr>& ring,
                      bool frontend) {
  if (!frontend) return ring;
  return RingAddresses<FrontendAddr>{guest.ToFrontend(ring.desc), guest.ToFrontend(ring.avail),
                                     guest.ToFrontend(ring.used)};
}

Plan ReadPlan(const GuestFixture& guest, Input& input) {
  Plan plan;
  plan.config.size = 1U << input.Byte() % 8;
  plan.ring = LayOut(plan.config.size);
  const uint8_t mode = input.Byte();
  plan.config.location = Location(guest, plan.ring, (mode & 0x80) != 0);
  plan.config.event_mode =
      std::array{EventMode::kFlags, EventMode::kEventIdx, EventMode::kUnknown}[(mode & 0x7f) % 3];
  plan.config.next_avail = input.Word();
  plan.indices.resize(1U + input.Byte() % 8);
  plan.batch = 1U + input.Byte() % kMaxChains;
  for (uint16_t& index : plan.indices) index = input.Word();
  return plan;
}

// Touches each range; all of them whole would take too long, since they may be the same.
uint64_t TotalSize(const GuestFixture& guest, std::span<const GuestRange> ranges) {
  uint64_t total = 0;
  for (const GuestRange& range : ranges) {
    SL_CHECK(range.size() != 0 && guest.Contains(range));
    range.Read<uint8_t>(range.size() - 1);
    total += range.size();
  }
  return total;
}

// Uses a chain as the device would, and gives its completion.
Completion Serve(const GuestFixture& guest, const DescriptorChain& chain) {
  const uint64_t readable = TotalSize(guest, chain.readable());
  const uint64_t writable = TotalSize(guest, chain.writable());
  if (!chain.bad()) {
    SL_CHECK(readable == chain.readable_len() && writable == chain.writable_len());
    SL_CHECK(readable + writable <= uint64_t{1} << 32);
  }
  std::array<uint8_t, 72> header;
  RangeCursor source(chain.readable());
  SL_CHECK(source.CopyOut(header) == (readable >= header.size()));
  if (readable >= header.size()) {
    uint64_t payload = 0;
    for (GuestRange piece = source.Next(readable); piece.size() != 0; piece = source.Next(100)) {
      payload += piece.size();
      SL_CHECK(guest.Contains(piece));
    }
    SL_CHECK(payload == readable - header.size());
  }
  const bool written = chain.WriteLastByte(1);
  SL_CHECK(chain.bad() ? (!written || writable != 0) : written == (writable != 0));
  return {.head = chain.head(), .len = written ? 1U : 0U};
}

// The driver has published `index`: the device drains, answers and arms.
void Round(const GuestFixture& guest, SplitQueue& queue, uint16_t index,
           std::span<DescriptorChain* const> pointers) {
  const auto shown = static_cast<uint16_t>(index - queue.next_avail());
  queue.DisableKicks();
  const bool was_broken = queue.broken();
  const size_t n = queue.Pop(pointers);
  SL_CHECK(n <= pointers.size() && n <= shown && n <= queue.size());
  SL_CHECK(shown <= queue.size() || queue.broken());
  SL_CHECK(!was_broken || n == 0);
  std::vector<Completion> done;
  for (size_t i = 0; i < n; ++i) {
    SL_CHECK(pointers[i]->head() < queue.size());
    done.push_back(Serve(guest, *pointers[i]));
  }
  queue.Complete(done);
  queue.NeedsNotify();
  SL_CHECK(!queue.NeedsNotify());
  queue.EnableKicks();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static GuestFixture guest(kRegionSize);
  static std::array<DescriptorChain, kMaxChains> chains;
  std::array<DescriptorChain*, kMaxChains> pointers;
  std::ranges::transform(chains, pointers.begin(), [](DescriptorChain& chain) { return &chain; });

  Input input({data, size});
  const Plan plan = ReadPlan(guest, input);
  std::vector<uint8_t> image(2 * kRegionSize);
  const auto given = input.rest().first(std::min(input.rest().size(), image.size()));
  std::ranges::copy(given, image.begin());
  guest.Write(plan.ring.desc, image);

  auto queue = SplitQueue::Create(guest.memory(), plan.config);
  SL_CHECK(queue.has_value());
  const GuestAddr idx_at{Raw(plan.ring.avail) + wire::kRingIdxOffset};
  for (const uint16_t index : plan.indices) {
    const std::array bytes = {static_cast<uint8_t>(index), static_cast<uint8_t>(index >> 8)};
    guest.Write(idx_at, bytes);
    Round(guest, *queue, index, std::span(pointers).first(plan.batch));
  }
  return 0;
}
