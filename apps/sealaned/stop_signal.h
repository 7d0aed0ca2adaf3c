// SPDX-License-Identifier: Apache-2.0
//
// SIGTERM and SIGINT as a descriptor that becomes readable.
#pragma once

#include "sealane/base/result.h"
#include "sealane/base/unique_fd.h"

namespace sealaned {

// Call before any thread is started: they inherit the blocked signals. Also ignores SIGPIPE,
// because a peer may close the other end of anything at any time.
sealane::Result<sealane::UniqueFd> CatchStopSignals();

}  // namespace sealaned
