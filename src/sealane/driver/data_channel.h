// SPDX-License-Identifier: Apache-2.0
//
// DataChannel: one data queue with a fixed pool of prepared requests ("slots"). Everything here
// belongs to one thread at a time: there is no lock, no allocation and no log line per request.
// Owned by its CryptoDriver. The device is not trusted: whatever it does, each accepted request
// comes back exactly once, by Poll, Dispatch, Call or the destructor.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/driver/options.h"
#include "sealane/driver/queue_memory.h"
#include "sealane/driver/request.h"
#include "sealane/driver/slot_pool.h"
#include "sealane/driver/transport.h"
#include "sealane/ring/driver/split_queue.h"

namespace sealane::driver {

class DataChannel {
 public:
  // Starts data queue `index`. The transport outlives the channel.
  static Result<std::unique_ptr<DataChannel>> Create(Transport& transport, uint16_t index,
                                                     const Options& options);

  // Stops the queue. Requests that have not come back by then end as Shutdown says; those with an
  // on_done have it called, from here.
  ~DataChannel();
  DataChannel(const DataChannel&) = delete;
  DataChannel& operator=(const DataChannel&) = delete;

  // Takes the first n requests and returns n, which is less than all of them when every slot is in
  // use. One index store and at most one kick. A request that cannot be expressed is taken too, and
  // comes back with kInvalidArgument.
  size_t Submit(std::span<Request* const> requests);

  // Fills `done` from the front with finished requests, in any order, and returns how many.
  size_t Poll(std::span<Request*> done);

  // Polls up to `max` requests and calls on_done (which must be set) of each. It may submit, free
  // its request, poll, and close sessions, but not destroy the channel. Returns how many.
  size_t Dispatch(size_t max);

  // Waits until Poll has something to return, or nothing is in flight, or the time is over: spins
  // for Options::spin, then sleeps until the device's interrupt. Returns whether Poll has
  // something.
  bool Wait(std::chrono::nanoseconds timeout);

  // One request from start to end; other requests may be in flight and are left for Poll. Returns
  // the request's status. kUnavailable: every slot is in use. After kTimeout the request is the
  // caller's again, but not its DMA memory: the device may write to that until the channel is gone.
  Status Call(Request& request, std::chrono::nanoseconds timeout);

  // Takes a request back that was submitted and has not come back. If it is not done yet its status
  // is kTimeout, its slot comes free when the device returns it, and the device may still write to
  // its DMA memory, as after a Call that timed out.
  void Abandon(Request& request);

  // Unlike everything else here these two may be called while another thread submits (but not while
  // one polls), so that a lock around this channel need not be held meanwhile: whether the device
  // has finished something, and sleeping until it has, or gave the queue up, or the deadline passed
  // (it may return for no reason).
  bool HasUsed() const { return queue_.HasUsed(); }
  void SleepForDevice(std::chrono::steady_clock::time_point deadline) {
    SleepForInterrupt(queue_, transport_, index_, deadline);
  }

  // Looks whether the device went away; if so, what is in flight comes back with kBroken.
  void CheckDevice();

  // Stops the queue for good. What is in flight comes back from the next Polls, as kCanceled where
  // the device did not finish it. Submit takes nothing any more.
  void Shutdown();

  uint16_t index() const { return index_; }
  uint32_t depth() const { return slots_.num_slots(); }
  // Requests submitted and not yet come back.
  size_t in_flight() const { return num_in_flight_ + finished_.size(); }
  // Set once the device misbehaved or went away: in-flight requests come back with kBroken and
  // Submit takes nothing.
  const std::optional<Error>& error() const { return error_; }
  uint64_t num_kicks() const { return num_kicks_; }

 private:
  DataChannel(Transport& transport, uint16_t index, const Options& options, QueueMemory queue,
              SlotPool slots, bool indirect);
  bool SubmitOne(Request& request);
  size_t TakeFinished(std::span<Request*> done);
  size_t Reap(std::span<Request*> done);
  void ReapIntoFinished();
  void WaitForDevice(std::chrono::steady_clock::time_point deadline);
  void Break(const Error& error);
  void FinishAll(Status status);

  Transport& transport_;
  const uint16_t index_;
  const std::chrono::nanoseconds spin_;
  const bool indirect_;
  DmaBuffer ring_memory_;
  ring::driver::SplitQueue queue_;
  SlotPool slots_;
  std::vector<uint32_t> slot_of_head_;
  std::vector<Request*> in_slot_;   // null: free, or its caller has given up
  std::vector<Request*> finished_;  // done, but not yet handed back; never grows beyond the depth
  size_t num_in_flight_ = 0;        // those of in_slot_ that are not null
  std::optional<Error> error_;
  bool stopped_ = false;
  uint64_t num_kicks_ = 0;
};

}  // namespace sealane::driver
