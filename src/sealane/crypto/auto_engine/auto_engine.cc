// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/auto_engine/auto_engine.h"

#include <utility>

#include "sealane/crypto/auto_engine/auto_lane.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/crypto/serial_engine.h"

namespace sealane::crypto {
namespace {

EngineCaps Together(const EngineCaps& quick, const EngineCaps& slow) {
  EngineCaps caps = quick;
  caps.name = "auto";
  caps.akciphers = slow.akciphers;
  return caps;
}

}  // namespace

AutoEngine::AutoEngine(std::unique_ptr<Engine> quick, std::unique_ptr<Engine> slow)
    : quick_(std::move(quick)),
      slow_(std::move(slow)),
      caps_(Together(quick_->caps(), slow_->caps())) {}

Result<std::unique_ptr<AutoEngine>> AutoEngine::Create(const Options& options) {
  SL_ASSIGN_OR_RETURN(auto quick, OpenSslEngine::Create({.enable_legacy = options.enable_legacy}));
  SL_ASSIGN_OR_RETURN(auto asymmetric, OpenSslEngine::Create({.enable_akcipher = true}));
  SL_ASSIGN_OR_RETURN(auto slow, SerialEngine::Create(std::move(asymmetric), {}));
  return std::unique_ptr<AutoEngine>(new AutoEngine(std::move(quick), std::move(slow)));
}

std::expected<std::shared_ptr<const Session>, Status> AutoEngine::CreateSession(
    SessionParams params) {
  Engine& engine = std::holds_alternative<AkcipherParams>(params) ? *slow_ : *quick_;
  return engine.CreateSession(std::move(params));
}

Result<std::unique_ptr<Lane>> AutoEngine::OpenLane(Waker& waker) {
  SL_ASSIGN_OR_RETURN(auto quick, quick_->OpenLane(waker));
  SL_ASSIGN_OR_RETURN(auto slow, slow_->OpenLane(waker));
  return std::make_unique<AutoLane>(std::move(quick), std::move(slow));
}

}  // namespace sealane::crypto
