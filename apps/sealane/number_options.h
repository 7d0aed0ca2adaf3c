// SPDX-License-Identifier: Apache-2.0
//
// Numbers on the command line that CLI11 does not check well enough. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "command_result.h"

namespace sealane::cli {

// What is wrong with the text as a number from `min` to `max`, or nothing, as CLI11's checks want
// it. CLI11's own range lets NaN through.
std::string CheckNumber(const std::string& text, double min, double max);

struct NumberRange {
  size_t min;
  size_t max;
  size_t step = 1;  // of which the number is a multiple
};

// Numbers with commas between them; a fault names the option.
CommandResult<std::vector<size_t>> ParseNumbers(std::string_view option, std::string_view text,
                                                const NumberRange& range);

}  // namespace sealane::cli
