// SPDX-License-Identifier: Apache-2.0
#include "sealane/crypto/serial_engine.h"

#include <utility>

#include "sealane/crypto/queued_lane.h"

namespace sealane::crypto {
namespace {

// Deadlines are noticed late by this part of the timeout.
constexpr int kTicksPerTimeout = 10;

EngineCaps CapsOf(const Engine& inner) {
  EngineCaps caps = inner.caps();
  caps.name = "serial";
  return caps;
}

EngineQueue::Options QueueOptions(const SerialEngine::Options& options) {
  return {.queue_depth = options.queue_depth * SerialEngine::kMaxLanes,
          .backlog_depth = options.backlog_depth * SerialEngine::kMaxLanes,
          .in_flight = options.in_flight,
          .dead_after = options.timeout / 2,
          .lock = options.lock};
}

}  // namespace

SerialEngine::SerialEngine(std::unique_ptr<Engine> inner, const Options& options)
    : inner_(std::move(inner)),
      options_(options),
      caps_(CapsOf(*inner_)),
      target_(*inner_),
      queue_(target_, QueueOptions(options)),
      watchdog_(queue_, options.timeout / kTicksPerTimeout) {}

Result<std::unique_ptr<SerialEngine>> SerialEngine::Create(std::unique_ptr<Engine> inner,
                                                           const Options& options) {
  if (options.queue_depth == 0 || options.in_flight == 0 || options.wake_batch == 0) {
    return Error{ErrorCode::kInvalid, "a serial engine needs room for one operation"};
  }
  std::unique_ptr<SerialEngine> engine(new SerialEngine(std::move(inner), options));
  SL_RETURN_IF_ERROR(engine->target_.Launch(engine->queue_));
  return engine;
}

SerialEngine::~SerialEngine() { target_.Stop(); }

std::expected<std::shared_ptr<const Session>, Status> SerialEngine::CreateSession(
    SessionParams params) {
  return inner_->CreateSession(std::move(params));
}

Result<std::unique_ptr<Lane>> SerialEngine::OpenLane(Waker& waker) {
  const QueuedLane::Options lane{.share = {.queue = options_.queue_depth,
                                           .backlog = options_.backlog_depth,
                                           .wake_batch = options_.wake_batch},
                                 .in_flight = options_.in_flight,
                                 .timeout = options_.timeout};
  SL_ASSIGN_OR_RETURN(auto queued, QueuedLane::Create(queue_, watchdog_, target_, waker, lane));
  return std::unique_ptr<Lane>(std::move(queued));
}

}  // namespace sealane::crypto
