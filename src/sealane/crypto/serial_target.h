// SPDX-License-Identifier: Apache-2.0
//
// SerialTarget: the "hardware" of a SerialEngine: a thread with a lane of the inner engine. Inner
// lane sessions are made at their first use, used and destroyed on that thread only; the sessions
// that QueuedLane sees are handles, which may come and go on other threads.
//
// It follows the first half of the memory rule in engine_target.h: the payload is copied in under
// one Pin and out under another, and the inner engine works on the copy.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/base/secret.h"
#include "sealane/crypto/engine.h"
#include "sealane/crypto/engine_queue.h"
#include "sealane/crypto/engine_target.h"
#include "sealane/crypto/queued_lane.h"

namespace sealane::crypto {

class SerialTarget final : public EngineTarget, public QueuedSessions, private Waker {
 public:
  explicit SerialTarget(Engine& inner) : inner_(inner) {}
  ~SerialTarget() override { Stop(); }

  // Starts the thread; fails if the inner engine opens no lane. The queue outlives Stop.
  Result<void> Launch(EngineQueue& queue);
  // Ends it, whatever the inner engine does. All handles are gone by now.
  void Stop();

  StartResult Start(EngineJob& job, Ticket ticket) override;
  Result<std::unique_ptr<LaneSession>> OpenSession(std::shared_ptr<const Session> session) override;

 private:
  // What a handle stands for. The inner session is the thread's.
  struct SerialSession {
    std::shared_ptr<const Session> session;
    std::unique_ptr<LaneSession> inner;
  };
  class Handle;

  void Run(std::promise<Result<void>>& opened);
  // Waits for work; destroys what was retired. Nothing: stopped.
  std::optional<Ticket> Next();
  void Serve(Ticket ticket);
  // The payload, the IV and the session of the ticket's job. Null if the job was taken back or is
  // no operation.
  SerialSession* CopyIn(Ticket ticket);
  void CopyPayload(const Op& op);
  void CopyOut(Ticket ticket);
  Status Crypt(SerialSession& session);
  // False: stopped meanwhile.
  bool AwaitInner();
  void CloseLane();
  void Wake() override;
  void Retire(std::unique_ptr<SerialSession> session);

  Engine& inner_;
  EngineQueue* queue_ = nullptr;

  std::mutex mutex_;  // of the next five members
  std::condition_variable changed_;
  std::vector<Ticket> tickets_;
  std::vector<std::unique_ptr<SerialSession>> retired_;
  bool is_woken_ = false;  // by the inner engine
  bool stop_ = false;

  // The thread's own.
  SecretBytes buffer_;
  Segment src_{};  // the parts of the buffer that are in use
  Segment aad_{};
  Segment dst_{};
  Op op_;  // the inner lane's, on those
  std::unique_ptr<Lane> lane_;
  std::thread thread_;
};

}  // namespace sealane::crypto
