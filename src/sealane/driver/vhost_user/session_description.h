// SPDX-License-Identifier: Apache-2.0
//
// A session as vhost-user message 26 describes it. A pure function.
#pragma once

#include <optional>

#include "sealane/driver/session.h"
#include "sealane/vhost_user/crypto_session.h"

namespace sealane::driver {

// Nothing for a session that the layout cannot carry: of the HASH, MAC and AEAD services none can,
// of AKCIPHER only the newest.
std::optional<vhost_user::CryptoSessionDescription> DescribeSession(
    const SessionParams& params, vhost_user::CryptoLayout layout);

}  // namespace sealane::driver
