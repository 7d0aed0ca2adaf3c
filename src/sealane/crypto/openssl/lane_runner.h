// SPDX-License-Identifier: Apache-2.0
//
// For the tests of this folder: an engine with a lane, and what every test does with them. Owned by
// a test; one thread. A failure that no test is about ends the test process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/crypto/openssl/reference_cipher.h"

namespace sealane::crypto {

// Engines that finish on the calling thread never call it.
class UnusedWaker final : public Waker {
 public:
  void Wake() override;
};

// A cipher with a key of each of its lengths: what the tests loop over.
struct CipherCase {
  CipherAlgorithm algorithm;
  size_t key_len;  // bytes
};
std::span<const CipherCase> AllCipherCases();

// Bytes without a pattern, the same in every run.
Bytes TestBytes(size_t size, uint32_t seed);

SessionParams MakeParams(CipherAlgorithm algorithm, Direction direction, const Bytes& key);

class LaneRunner {
 public:
  LaneRunner();

  OpenSslEngine& engine() { return *engine_; }
  Lane& lane() { return *lane_; }

  std::unique_ptr<Lane> OpenLane();
  std::unique_ptr<LaneSession> Open(CipherAlgorithm algorithm, Direction direction,
                                    const Bytes& key);

  // One op from Submit to Poll.
  Status Run(Op& op);
  Status Run(LaneSession& session, const Bytes& iv, std::span<const Segment> src,
             std::span<const Segment> dst, uint64_t len);

  // One op on buffers of one piece each; the op's status must be kOk.
  Bytes Crypt(LaneSession& session, const Bytes& iv, Bytes in);

 private:
  UnusedWaker waker_;
  std::unique_ptr<OpenSslEngine> engine_;
  std::unique_ptr<Lane> lane_;
};

// An op with its session and IV set, and a status that no op here ends with.
Op MakeOp(LaneSession& session, const Bytes& iv);

}  // namespace sealane::crypto
