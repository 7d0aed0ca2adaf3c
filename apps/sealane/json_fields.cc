// SPDX-License-Identifier: Apache-2.0
#include "json_fields.h"

#include <fmt/format.h>

#include <utility>

namespace sealane::cli {

JsonFields::JsonFields(const std::string& text) {
  if (!Json::sax_parse(text, this) && !fault_) Complain(std::nullopt, "not a JSON object");
}

const JsonFields::Json* JsonFields::Find(std::string_view name) const {
  const auto it = fields_.find(name);
  return it == fields_.end() ? nullptr : &it->second;
}

bool JsonFields::key(string_t& name) {
  if (depth_ == 1) name_ = std::move(name);
  return true;
}

bool JsonFields::Take(Json value) {
  if (depth_ == 0) Complain(std::nullopt, "not a JSON object");
  if (depth_ != 1) return depth_ != 0;
  if (!fields_.emplace(name_, std::move(value)).second) Complain(name_, "given twice");
  return true;
}

// Parsing goes on inside a value that is not wanted, since an id may follow it.
bool JsonFields::Enter(bool object) {
  if (depth_ == 0 && !object) Complain(std::nullopt, "not a JSON object");
  if (depth_ == 1) Complain(name_, "neither a string nor a number");
  ++depth_;
  return depth_ > 1 || object;
}

bool JsonFields::Leave() {
  --depth_;
  return true;
}

// The parser's own sentence quotes the input, which may be long or secret.
bool JsonFields::parse_error(size_t position, const std::string&,
                             const nlohmann::detail::exception&) {
  fault_ = Fault{std::nullopt, fmt::format("not JSON at byte {}", position)};
  return false;
}

void JsonFields::Complain(std::optional<std::string> field, std::string message) {
  if (!fault_) fault_ = Fault{std::move(field), std::move(message)};
}

}  // namespace sealane::cli
