// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cases.h"
#include "sealane/wire/virtio_ring.h"

namespace sealane::testing {
namespace {

using Descs = std::span<wire::vring_desc>;

constexpr uint64_t kBeyondRam = uint64_t{1} << 40;

// A request, and a good one behind it to see whether the queue goes on. What follows a broken
// device says nothing.
Case WithGoodOneAfter(std::string name, const DataShape& data) {
  return {std::move(name), [data](Scenario& scenario) {
            scenario.OpenSession({});
            scenario.Cipher("request", data);
            if (!scenario.device_works()) return;
            scenario.Cipher("good_one", {});
            scenario.CloseSession();
          }};
}

std::vector<Case> FramingCases() {
  const std::pair<const char*, Framing> framings[] = {
      {"linux", Framing::kLinux},
      {"byte_each", Framing::kByteEach},
      {"header_71_and_1", Framing::kSplitHeader},
      {"iv_with_source", Framing::kIvWithSource},
      {"status_merged", Framing::kStatusMerged},
      {"status_of_4_bytes", Framing::kLongStatus},
  };
  std::vector<Case> cases;
  for (const auto& [name, framing] : framings) {
    for (const bool indirect : {true, false}) {
      cases.push_back(
          WithGoodOneAfter(fmt::format("framing_{}_{}", name, indirect ? "indirect" : "direct"),
                           {.framing = framing, .indirect = indirect}));
    }
  }
  cases.push_back(WithGoodOneAfter("in_place", {.len = 256, .in_place = true}));
  return cases;
}

std::vector<Case> TruncatedCases() {
  std::vector<Case> cases;
  for (const size_t limit : {0U, 1U, 23U, 24U, 32U, 71U, 72U, 80U, 88U, 100U, 151U}) {
    cases.push_back(
        WithGoodOneAfter(fmt::format("truncated_to_{}", limit), {.readable_limit = limit}));
  }
  cases.push_back(WithGoodOneAfter("no_writable", {.dst_room = 0, .status_room = false}));
  cases.push_back(WithGoodOneAfter("no_status", {.status_room = false}));
  cases.push_back(WithGoodOneAfter("status_alone", {.dst_room = 0}));
  return cases;
}

void LoopToFirst(Descs descs, uint64_t) {
  wire::vring_desc& last = descs.back();
  last.flags.set(last.flags.get() | wire::VRING_DESC_F_NEXT);
  last.next.set(0);
}

void LoopToSelf(Descs descs, uint64_t) { descs[1].next.set(1); }
void NextOutOfRange(Descs descs, uint64_t) { descs[1].next.set(65535); }
void AddressBeyondRam(Descs descs, uint64_t) { descs[2].addr.set(kBeyondRam); }
void AddressWraps(Descs descs, uint64_t) { descs[2].addr.set(~uint64_t{0} - 15); }
void DestinationBeyondRam(Descs descs, uint64_t) { descs[3].addr.set(kBeyondRam); }
void EmptyReadable(Descs descs, uint64_t) { descs[1].len.set(0); }
void EmptyWritable(Descs descs, uint64_t) { descs[3].len.set(0); }
void HugeLength(Descs descs, uint64_t) { descs[2].len.set(0xffff'ffff); }

void WritableFirst(Descs descs, uint64_t) {
  descs[0].flags.set(descs[0].flags.get() | wire::VRING_DESC_F_WRITE);
}

void NestedIndirect(Descs descs, uint64_t table) {
  descs[1] = {.addr = Le64(table),
              .len = Le32(sizeof(wire::vring_desc)),
              .flags = Le16(wire::VRING_DESC_F_INDIRECT),
              .next = Le16(0)};
}

std::vector<Case> SpoiltCases() {
  const std::pair<const char*, void (*)(Descs, uint64_t)> spoilers[] = {
      {"loop_to_first", LoopToFirst},        {"loop_to_self", LoopToSelf},
      {"next_out_of_range", NextOutOfRange}, {"address_beyond_ram", AddressBeyondRam},
      {"address_wraps", AddressWraps},       {"destination_beyond_ram", DestinationBeyondRam},
      {"empty_readable", EmptyReadable},     {"empty_writable", EmptyWritable},
      {"huge_length", HugeLength},           {"writable_first", WritableFirst},
      {"nested_indirect", NestedIndirect},
  };
  std::vector<Case> cases;
  for (const auto& [name, spoil] : spoilers) {
    for (const bool indirect : {true, false}) {
      cases.push_back(
          WithGoodOneAfter(fmt::format("chain_{}_{}", name, indirect ? "indirect" : "direct"),
                           {.indirect = indirect, .spoil = spoil}));
    }
  }
  return cases;
}

}  // namespace

std::vector<Case> ChainCases() {
  std::vector<Case> cases = FramingCases();
  std::ranges::move(TruncatedCases(), std::back_inserter(cases));
  std::ranges::move(SpoiltCases(), std::back_inserter(cases));
  return cases;
}

}  // namespace sealane::testing
