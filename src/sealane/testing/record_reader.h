// SPDX-License-Identifier: Apache-2.0
//
// Files of "name = value" lines, as NIST CAVP, RFC collections and Crypto++ have them, for services
// other than plain ciphers (those have cavp_reader.h). Pure functions.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sealane/testing/cipher_vector.h"

namespace sealane::testing {

// Names are in small letters. A line of one word ("FAIL") is a name without a value.
struct Record {
  std::map<std::string, std::string, std::less<>> fields{};
  size_t line = 0;  // of its first

  bool Has(std::string_view name) const { return fields.find(name) != fields.end(); }
  // The value of the first of these names that is there; nothing if none is.
  std::optional<std::string> Find(std::initializer_list<std::string_view> names) const;
};

// A paragraph is a record if it has one of the `ends`, with whatever paragraphs without and lines
// in brackets before it said. In brackets, "[a = 1, b = 2]" is two fields.
std::vector<Record> ParseRecords(std::string_view text,
                                 std::initializer_list<std::string_view> ends);

// Bytes of a value: hexadecimal, or text in quotes. Nothing if it is neither.
std::optional<Bytes> ValueBytes(std::string_view value);

}  // namespace sealane::testing
