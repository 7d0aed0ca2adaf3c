// SPDX-License-Identifier: Apache-2.0
//
// CommandResult<T>: a value, or why the program ends. SL_RETURN_IF_ERROR and SL_ASSIGN_OR_RETURN of
// sealane/base/result.h work on it. Values.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "sealane/base/result.h"  // the two macros

namespace sealane::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;

struct CommandError {
  int exit_code = kExitFailure;
  std::string message;  // one line for people; empty: end without a word
};

template <class T>
class [[nodiscard]] CommandResult : public std::expected<T, CommandError> {
 public:
  using std::expected<T, CommandError>::expected;
  CommandResult(CommandError error)
      : std::expected<T, CommandError>(std::unexpect, std::move(error)) {}
};

inline CommandError Failed(std::string message) { return {kExitFailure, std::move(message)}; }
inline CommandError WrongUsage(std::string message) { return {kExitUsage, std::move(message)}; }

}  // namespace sealane::cli
