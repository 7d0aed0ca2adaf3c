// SPDX-License-Identifier: Apache-2.0
#include "number_options.h"

#include <fmt/format.h>

#include <charconv>

namespace sealane::cli {
namespace {

// Whether all of the text is a number.
template <class Number>
bool Parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string CheckNumber(const std::string& text, double min, double max) {
  double value = 0;
  if (Parse(text, value) && value >= min && value <= max) return "";
  return fmt::format("'{}' is not a number from {} to {}", text, min, max);
}

CommandResult<std::vector<size_t>> ParseNumbers(std::string_view option, std::string_view text,
                                                const NumberRange& range) {
  std::vector<size_t> values;
  while (true) {
    const std::string_view one = text.substr(0, text.find(','));
    size_t value = 0;
    const bool is_number = Parse(one, value);
    if (!is_number || value < range.min || value > range.max || value % range.step != 0) {
      return WrongUsage(fmt::format("{}: '{}' is not a number from {} to {}{}", option, one,
                                    range.min, range.max,
                                    range.step == 1 ? "" : ", a multiple of the block"));
    }
    values.push_back(value);
    if (one.size() == text.size()) return values;
    text.remove_prefix(one.size() + 1);
  }
}

}  // namespace sealane::cli
