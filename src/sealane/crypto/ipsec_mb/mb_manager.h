// SPDX-License-Identifier: Apache-2.0
//
// MbManager: the multi-buffer library's state for one thread, on the best instructions that this
// processor has. Wiped at its end. One thread.
#pragma once

#include <memory>

struct IMB_MGR;

namespace sealane::crypto {

struct MbManagerDeleter {
  void operator()(IMB_MGR* manager) const;
};
using MbManagerPtr = std::unique_ptr<IMB_MGR, MbManagerDeleter>;

// Null if memory runs out, or the processor has nothing that the library needs.
MbManagerPtr MakeMbManager();

}  // namespace sealane::crypto
