// SPDX-License-Identifier: Apache-2.0
#include "engine_by_name.h"

#include <utility>

#include "sealane/crypto/auto_engine/auto_engine.h"
#include "sealane/crypto/openssl/openssl_engine.h"
#include "sealane/crypto/serial_engine.h"
#ifdef SEALANE_HAS_IPSEC_MB
#include "sealane/crypto/ipsec_mb/ipsec_mb_engine.h"
#endif

namespace sealane::apps {

using crypto::Engine;
using EnginePtr = std::unique_ptr<Engine>;

namespace {

Result<EnginePtr> CreateAuto(bool enable_legacy) {
  SL_ASSIGN_OR_RETURN(EnginePtr engine,
                      crypto::AutoEngine::Create({.enable_legacy = enable_legacy}));
  return engine;
}

Result<EnginePtr> CreateSerial(bool enable_legacy) {
  SL_ASSIGN_OR_RETURN(
      EnginePtr openssl,
      crypto::OpenSslEngine::Create({.enable_legacy = enable_legacy, .enable_akcipher = true}));
  SL_ASSIGN_OR_RETURN(EnginePtr serial, crypto::SerialEngine::Create(std::move(openssl), {}));
  return serial;
}

Result<EnginePtr> CreateIpsecMb() {
#ifdef SEALANE_HAS_IPSEC_MB
  SL_ASSIGN_OR_RETURN(EnginePtr engine, crypto::IpsecMbEngine::Create());
  return engine;
#else
  return Error{ErrorCode::kUnsupported, "built without the multi-buffer library"};
#endif
}

}  // namespace

const std::vector<std::string>& EngineNames() {
  static const std::vector<std::string> names = {"auto", "openssl", "ipsec-mb", "serial"};
  return names;
}

Result<EnginePtr> CreateEngine(const std::string& name, bool enable_legacy) {
  // OpenSSL is all that auto has to choose from so far.
  if (name == "auto" || name == "openssl") return CreateAuto(enable_legacy);
  if (name == "serial") return CreateSerial(enable_legacy);
  if (name == "ipsec-mb") return CreateIpsecMb();
  return Error{ErrorCode::kInvalid, "no such engine"};
}

}  // namespace sealane::apps
