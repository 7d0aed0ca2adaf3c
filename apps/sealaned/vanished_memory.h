// SPDX-License-Identifier: Apache-2.0
//
// A front-end may truncate the file behind guest memory while we use it; the next access is a
// SIGBUS. This process serves one guest only, so it says so in one line and exits with 1.
#pragma once

namespace sealaned {

// Call once, before any guest memory is mapped.
void ExitWhenMemoryVanishes();

}  // namespace sealaned
