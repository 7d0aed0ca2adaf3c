// SPDX-License-Identifier: Apache-2.0
//
// IpsecMbEngine: AES-CBC and AES-CTR by Intel's multi-buffer library, which works on many
// operations at once, each with a key of its own. Finished on the calling thread. Threads as Engine
// says. The edges are those of every engine.
#pragma once

#include <memory>
#include <mutex>

#include "sealane/crypto/engine.h"
#include "sealane/crypto/ipsec_mb/mb_manager.h"

namespace sealane::crypto {

class IpsecMbEngine final : public Engine {
 public:
  // kUnsupported: this processor lacks AES instructions.
  static Result<std::unique_ptr<IpsecMbEngine>> Create();

  const EngineCaps& caps() const override { return caps_; }
  std::expected<std::shared_ptr<const Session>, Status> CreateSession(
      SessionParams params) override;
  Result<std::unique_ptr<Lane>> OpenLane(Waker& waker) override;

 private:
  explicit IpsecMbEngine(MbManagerPtr manager) : manager_(std::move(manager)) {}

  std::mutex mutex_;  // of the manager, which expands keys
  const MbManagerPtr manager_;
  const EngineCaps caps_{.name = "ipsec-mb",
                         .ciphers = {CipherAlgorithm::kAesCbc, CipherAlgorithm::kAesCtr}};
};

}  // namespace sealane::crypto
