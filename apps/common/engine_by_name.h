// SPDX-License-Identifier: Apache-2.0
//
// The engines that the programs offer by name (--engine). Pure functions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sealane/base/result.h"
#include "sealane/crypto/engine.h"

namespace sealane::apps {

// "auto" first: openssl in this version.
const std::vector<std::string>& EngineNames();

// With `enable_legacy` DES and ARC4 are offered too, where OpenSSL has its legacy provider.
// "ipsec-mb" has AES-CBC and AES-CTR alone. kInvalid for another name, kUnsupported for ipsec-mb
// where the processor or the build lacks it.
Result<std::unique_ptr<crypto::Engine>> CreateEngine(const std::string& name,
                                                     bool enable_legacy = false);

}  // namespace sealane::apps
