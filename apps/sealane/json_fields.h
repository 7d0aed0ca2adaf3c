// SPDX-License-Identifier: Apache-2.0
//
// JsonFields: one flat JSON object, read without building a tree, so that the nesting and the size
// of hostile input cost nothing. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sealane::cli {

class JsonFields final : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Json = nlohmann::json;
  // The first thing that is wrong. No field: the text as a whole.
  struct Fault {
    std::optional<std::string> field;
    std::string message;
  };

  explicit JsonFields(const std::string& text);

  const std::optional<Fault>& fault() const { return fault_; }
  // Null if there is none of that name.
  const Json* Find(std::string_view name) const;
  const std::map<std::string, Json, std::less<>>& all() const { return fields_; }

  // What the parser calls.
  bool null() override { return Take(nullptr); }
  bool boolean(bool value) override { return Take(value); }
  bool number_integer(number_integer_t value) override { return Take(value); }
  bool number_unsigned(number_unsigned_t value) override { return Take(value); }
  bool number_float(number_float_t value, const string_t&) override { return Take(value); }
  bool string(string_t& value) override { return Take(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not in JSON
  bool start_object(size_t) override { return Enter(true); }
  bool start_array(size_t) override { return Enter(false); }
  bool key(string_t& name) override;
  bool end_object() override { return Leave(); }
  bool end_array() override { return Leave(); }
  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  bool Take(Json value);
  bool Enter(bool object);
  bool Leave();
  void Complain(std::optional<std::string> field, std::string message);

  std::map<std::string, Json, std::less<>> fields_;
  std::optional<Fault> fault_;
  std::string name_;  // of the value that comes next
  size_t depth_ = 0;
};

}  // namespace sealane::cli
