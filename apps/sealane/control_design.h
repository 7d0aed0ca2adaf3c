// SPDX-License-Identifier: Apache-2.0
//
// ControlDesign: one way of making and closing sessions, for `sealane bench control`: the driver's
// own, and the baselines, which are here only. Each holds a device of its own while it exists.
// Create and Close: any thread, at once.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "command_result.h"
#include "device_option.h"
#include "sealane/driver/session.h"

namespace sealane::cli {

class ControlDesign {
 public:
  virtual ~ControlDesign() = default;
  // Nothing, or false: it failed.
  virtual std::optional<driver::SessionId> Create() = 0;
  virtual bool Close(driver::SessionId session) = 0;
};

enum class DesignKind {
  kWaiting,    // driver::CryptoDriver: each waits for its own answer, outside of the lock
  kMutex,      // a mutex held from the request to its answer, which is polled for
  kSpinYield,  // a spinlock held so, whose waiters yield
  kSpin,       // a spinlock held so
};
inline constexpr DesignKind kDesigns[] = {DesignKind::kWaiting, DesignKind::kMutex,
                                          DesignKind::kSpinYield, DesignKind::kSpin};
std::string_view NameOf(DesignKind kind);  // as in the JSON

// AES-128-CBC sessions all have this key.
driver::CipherSessionParams BenchSession();

CommandResult<std::unique_ptr<ControlDesign>> OpenDesign(DesignKind kind,
                                                         const DeviceOption& option);

}  // namespace sealane::cli
