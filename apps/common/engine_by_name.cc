// SPDX-License-Identifier: Apache-2.0
#include "engine_by_name.h"

#include <utility>

#include "sealane/crypto/auto_engine/auto_engine.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/crypto/serial_engine.h"

namespace sealane::apps {

using crypto::Engine;
using EnginePtr = std::unique_ptr<Engine>;

const std::vector<std::string>& EngineNames() {
  static const std::vector<std::string> names = {"auto", "openssl", "serial"};
  return names;
}

Result<EnginePtr> CreateEngine(const std::string& name, bool enable_legacy) {
  if (name != "auto" && name != "openssl" && name != "serial") {
    return Error{ErrorCode::kInvalid, "no such engine"};
  }
  if (name != "serial") {
    // OpenSSL is all that there is to choose from so far.
    SL_ASSIGN_OR_RETURN(EnginePtr engine,
                        crypto::AutoEngine::Create({.enable_legacy = enable_legacy}));
    return engine;
  }
  SL_ASSIGN_OR_RETURN(
      EnginePtr openssl,
      crypto::OpenSslEngine::Create({.enable_legacy = enable_legacy, .enable_akcipher = true}));
  SL_ASSIGN_OR_RETURN(EnginePtr serial, crypto::SerialEngine::Create(std::move(openssl), {}));
  return serial;
}

}  // namespace sealane::apps
