// SPDX-License-Identifier: Apache-2.0
#include "sealane/base/error.h"

#include <system_error>

namespace sealane {

std::string ToString(const Error& error) {
  std::string text = error.what;
  if (error.code == ErrorCode::kSystem) {
    text += ": ";
    text += std::generic_category().message(error.sys_errno);
  }
  return text;
}

}  // namespace sealane
