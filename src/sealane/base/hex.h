// SPDX-License-Identifier: Apache-2.0
//
// Bytes as lower-case hexadecimal text, for tools and tests. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sealane {

std::string HexEncode(std::span<const uint8_t> bytes);

// Accepts upper and lower case; nothing if the length is odd or a character is not a hex digit.
std::optional<std::vector<uint8_t>> HexDecode(std::string_view text);

}  // namespace sealane
