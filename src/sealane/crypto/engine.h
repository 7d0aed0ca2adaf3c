// SPDX-License-Identifier: Apache-2.0
//
// Engine: something that can do cryptographic operations. It makes sessions (any thread) and lanes
// (one per worker thread).
#pragma once

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <memory>

#include "sealane/base/result.h"
#include "sealane/crypto/lane.h"
#include "sealane/crypto/session.h"
#include "sealane/crypto/status.h"

namespace sealane::crypto {

// A set of algorithms of one service.
template <class Algorithm>
class AlgorithmSet {
 public:
  constexpr AlgorithmSet() = default;
  constexpr AlgorithmSet(std::initializer_list<Algorithm> algorithms) {
    for (const Algorithm algorithm : algorithms) Add(algorithm);
  }
  constexpr void Add(Algorithm algorithm) { bits_ |= Bit(algorithm); }
  constexpr void Add(const AlgorithmSet& other) { bits_ |= other.bits_; }
  constexpr bool Has(Algorithm algorithm) const { return (bits_ & Bit(algorithm)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const AlgorithmSet&) const = default;

 private:
  static constexpr uint32_t Bit(Algorithm algorithm) {
    return uint32_t{1} << static_cast<unsigned>(algorithm);
  }
  uint32_t bits_ = 0;
};

// What is offered. A chain is if its cipher and its hash or MAC are.
struct EngineCaps {
  const char* name = "";
  AlgorithmSet<CipherAlgorithm> ciphers{};
  AlgorithmSet<HashAlgorithm> hashes{};
  AlgorithmSet<MacAlgorithm> macs{};
  AlgorithmSet<AeadAlgorithm> aeads{};
  AlgorithmSet<AkcipherAlgorithm> akciphers{};

  bool Offers(CipherAlgorithm algorithm) const { return ciphers.Has(algorithm); }
  bool Offers(HashAlgorithm algorithm) const { return hashes.Has(algorithm); }
  bool Offers(MacAlgorithm algorithm) const { return macs.Has(algorithm); }
  bool Offers(AeadAlgorithm algorithm) const { return aeads.Has(algorithm); }
  bool Offers(AkcipherAlgorithm algorithm) const { return akciphers.Has(algorithm); }
};

// Wakes the thread that runs a lane. Wake is called from other threads, once whenever finished work
// appears where there was none. An engine that finishes on the calling thread never calls it.
class Waker {
 public:
  virtual ~Waker() = default;
  virtual void Wake() = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual const EngineCaps& caps() const = 0;

  // Takes the keys over. kNotSupported: an algorithm is not offered. kError: CheckParams says so,
  // or an asymmetric key is none of its kind.
  virtual std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) = 0;

  // The waker outlives the lane. The engine outlives its sessions and lanes.
  virtual Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) = 0;
};

}  // namespace sealane::crypto
