// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/openssl/lane_runner.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sealane/base/check.h"

namespace sealane::crypto {

void UnusedWaker::Wake() { SL_CHECK(false); }

std::span<const CipherCase> AllCipherCases() {
  static constexpr auto kCases = std::to_array<CipherCase>({
      {CipherAlgorithm::kAesEcb, 16},
      {CipherAlgorithm::kAesEcb, 24},
      {CipherAlgorithm::kAesEcb, 32},
      {CipherAlgorithm::kAesCbc, 16},
      {CipherAlgorithm::kAesCbc, 24},
      {CipherAlgorithm::kAesCbc, 32},
      {CipherAlgorithm::kAesCtr, 16},
      {CipherAlgorithm::kAesCtr, 24},
      {CipherAlgorithm::kAesCtr, 32},
      {CipherAlgorithm::kAesXts, 32},
      {CipherAlgorithm::kAesXts, 64},
      {CipherAlgorithm::kDes3Ecb, 24},
      {CipherAlgorithm::kDes3Cbc, 24},
      {CipherAlgorithm::kDes3Ctr, 24},
  });
  return kCases;
}

Bytes TestBytes(size_t size, uint32_t seed) {
  Bytes bytes(size);
  uint32_t state = seed * 2654435761U + 1;
  for (uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator
    byte = static_cast<uint8_t>(state >> 24);
  }
  return bytes;
}

SessionParams MakeParams(CipherAlgorithm algorithm, Direction direction, const Bytes& key) {
  return CipherParams{
      .algorithm = algorithm, .direction = direction, .key = SecretBytes(std::span(key))};
}

LaneRunner::LaneRunner() {
  auto engine = OpenSslEngine::Create();
  SL_CHECK(engine.has_value());
  engine_ = *std::move(engine);
  lane_ = OpenLane();
}

std::unique_ptr<Lane> LaneRunner::OpenLane() {
  auto lane = engine_->OpenLane(waker_);
  SL_CHECK(lane.has_value());
  return *std::move(lane);
}

std::unique_ptr<LaneSession> LaneRunner::Open(CipherAlgorithm algorithm, Direction direction,
                                              const Bytes& key) {
  auto session = engine_->CreateSession(MakeParams(algorithm, direction, key));
  SL_CHECK(session.has_value());
  auto lane_session = lane_->OpenSession(*std::move(session));
  SL_CHECK(lane_session.has_value());
  return *std::move(lane_session);
}

Status LaneRunner::Run(Op& op) {
  const std::array<Op*, 1> ops = {&op};
  SL_CHECK(lane_->Submit(ops) == 1);
  std::array<Op*, 2> done{};
  SL_CHECK(lane_->Poll(done) == 1 && done[0] == &op);
  return op.status;
}

Status LaneRunner::Run(LaneSession& session, const Bytes& iv, std::span<const Segment> src,
                       std::span<const Segment> dst, uint64_t len) {
  Op op = MakeOp(session, iv);
  op.src = src;
  op.dst = dst;
  op.len = op.out_len = len;
  return Run(op);
}

Bytes LaneRunner::Crypt(LaneSession& session, const Bytes& iv, Bytes in) {
  Bytes out(in.size());
  const std::array<Segment, 1> src = {Segment{in.data(), in.size()}};
  const std::array<Segment, 1> dst = {Segment{out.data(), out.size()}};
  SL_CHECK(Run(session, iv, src, dst, in.size()) == Status::kOk);
  return out;
}

Op MakeOp(LaneSession& session, const Bytes& iv) {
  Op op;
  op.session = &session;
  op.status = Status::kNoSpace;  // what no op here ends with
  SL_CHECK(iv.size() <= op.iv.size());
  op.iv_len = static_cast<uint32_t>(iv.size());
  std::ranges::copy(iv, op.iv.begin());
  return op;
}

}  // namespace sealane::crypto
