// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value or an Error, for failures that are expected. Dropping one is a compiler
// warning, which a bare alias of std::expected would not give. The two macros are the only ones
// that change control flow.
#pragma once

#include <expected>
#include <utility>

#include "sealane/base/error.h"

namespace sealane {

template <class T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;
  Result(Error error) : std::expected<T, Error>(std::unexpect, error) {}
};

// Leaves the calling function with the error of `expr` if it has one.
#define SL_RETURN_IF_ERROR(expr)                                          \
  do {                                                                    \
    if (auto sl_result_ = (expr); !sl_result_.has_value()) [[unlikely]] { \
      return sl_result_.error();                                          \
    }                                                                     \
  } while (false)

#define SL_CONCAT_INNER_(a, b) a##b
#define SL_CONCAT_(a, b) SL_CONCAT_INNER_(a, b)
#define SL_ASSIGN_OR_RETURN_(temp, lhs, expr) \
  auto temp = (expr);                         \
  if (!temp.has_value()) [[unlikely]]         \
    return temp.error();                      \
  lhs = std::move(*temp)

// Declares or assigns `lhs` from the value of `expr`, or leaves the calling function with its
// error.
#define SL_ASSIGN_OR_RETURN(lhs, expr) \
  SL_ASSIGN_OR_RETURN_(SL_CONCAT_(sl_value_, __LINE__), lhs, expr)

}  // namespace sealane
