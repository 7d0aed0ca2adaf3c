// SPDX-License-Identifier: Apache-2.0
//
// SlotPool: the prepared requests of one DataChannel. A slot is a piece of DMA memory with a
// request header, an IV, a status byte and an indirect table that already names them (virtio 1.3,
// 5.9.7.3, in the framing of the Linux driver: header 72, iv, source, destination, status 1), and a
// payload buffer. Preparing a request writes what differs from one request to the next, and the
// table only if the slot's last request lay elsewhere or was of another length. Everything that
// decides anything is kept in private memory. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/dma_region.h"
#include "sealane/driver/general_request.h"
#include "sealane/driver/request.h"
#include "sealane/mem/guest_addr.h"
#include "sealane/mem/guest_range.h"
#include "sealane/ring/driver/split_queue.h"

namespace sealane::driver {

// A request as the ring wants it.
struct PreparedSlot {
  mem::GuestAddr table{};  // indirect only
  uint32_t num_descriptors = 0;
  uint32_t writable_len = 0;  // bytes
};

// The same descriptors one by one, valid until the next request is prepared.
struct PreparedChain {
  std::span<const ring::driver::Buffer> readable;
  std::span<const ring::driver::Buffer> writable;
};

class SlotPool {
 public:
  struct Config {
    uint32_t num_slots = 0;
    uint32_t max_payload = 0;   // bytes of a slot's own buffer
    uint32_t max_segments = 0;  // pieces that are not copied, on each side
    uint64_t max_size = 0;      // bytes of payload that the device takes
    bool indirect = false;      // write the tables
    bool revision_1 = false;    // how requests are framed
  };
  static Result<SlotPool> Create(std::shared_ptr<DmaRegion> region, const Config& config);

  uint32_t num_slots() const { return static_cast<uint32_t>(states_.size()); }

  // The slot that was given back last, so that its lines are still in the cache.
  std::optional<uint32_t> Take();
  void GiveBack(uint32_t slot) { free_.push_back(slot); }

  // Writes the request into a taken slot. Nothing if it cannot be expressed: source and destination
  // differ in length, the IV or the payload is too long, or there are too many pieces
  // (general_request.h says more of other kinds than ciphers). Does not change the request.
  std::optional<PreparedSlot> Prepare(uint32_t slot, const Request& request);

  // For a ring without indirect descriptors: the chain of the request prepared last.
  PreparedChain chain() const;

  // What became of the slot's request, of which the device says that it wrote `used_len` bytes.
  // With kOk the destination (if it was copied) and next_iv are filled.
  Status Finish(uint32_t slot, uint32_t used_len, Request& request);

 private:
  using Buffer = ring::driver::Buffer;
  // Where one side's payload lies for the device: the caller's memory if all of it is DMA memory,
  // else the slot's buffer.
  static constexpr uint64_t kSlotBuffer = ~uint64_t{0};
  // What a slot's table depends on. A request in pieces has none of its own.
  struct Shape {
    uint64_t src = 0;  // device addresses, or kSlotBuffer
    uint64_t dst = 0;
    uint32_t len = 0;     // bytes of payload
    uint32_t iv_len = 0;  // bytes
    bool operator==(const Shape&) const = default;
  };
  struct State {
    std::optional<Shape> shape;  // the table is right for this one
    uint32_t num_descriptors = 0;
    uint32_t len = 0;                          // bytes of payload
    bool copied_out = false;                   // the destination is the slot's own buffer
    std::optional<GeneralLayout> general;      // no cipher of a session: all is in that buffer
    std::array<uint8_t, kMaxIvLen> next_iv{};  // decrypting: taken before the source can change
  };

  SlotPool(std::shared_ptr<DmaRegion> region, const Config& config, DmaBuffer control,
           DmaBuffer payload);
  // The slot's buffer: for a payload, or for a whole request of another kind.
  std::span<uint8_t> PayloadOf(uint32_t slot) const;
  std::span<uint8_t> BufferOf(uint32_t slot) const;
  mem::GuestRange ControlOf(uint32_t slot) const;
  mem::GuestAddr ControlAddr(uint32_t slot, size_t offset) const;
  uint64_t PlaceOf(std::span<const uint8_t> payload) const;
  template <class Byte>
  bool AppendPayload(uint32_t slot, std::span<const std::span<Byte>> pieces, bool& copied);
  bool Describe(uint32_t slot, const Request& request, uint32_t len, bool& copied_in);
  bool DescribeAnew(uint32_t slot, const Request& request, uint32_t len, bool& copied_in);
  std::optional<PreparedSlot> PrepareGeneral(uint32_t slot, const Request& request);
  Status FinishGeneral(uint32_t slot, uint32_t used_len, Request& request);
  void WriteHeader(uint32_t slot, const Request& request, uint32_t len) const;
  void WriteTable(uint32_t slot) const;

  std::shared_ptr<DmaRegion> region_;
  Config config_;
  size_t max_descriptors_;  // in one table
  size_t control_stride_;   // bytes
  size_t payload_stride_;   // bytes
  DmaBuffer control_;
  DmaBuffer payload_;  // not valid when max_payload is 0
  std::vector<uint32_t> free_;
  std::vector<State> states_;
  std::vector<Buffer> chain_;  // of the request described last
  size_t num_readable_ = 0;    // in chain_
};

}  // namespace sealane::driver
