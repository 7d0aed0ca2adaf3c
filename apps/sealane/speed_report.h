// SPDX-License-Identifier: Apache-2.0
//
// How `sealane speed` shows its figures: the layout of cryptodev-linux's tests/speed.c with --kib,
// and the number of operations after it. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cipher_names.h"
#include "device_load.h"

namespace sealane::cli {

struct SpeedResult {
  size_t size = 0;  // bytes of one request
  Round device;
  std::optional<double> evp_ops_per_s;
  std::optional<double> ratio_evp;  // device to EVP; above 1 the device is faster
};

// "Testing AES-128-CBC cipher:"
std::string SpeedHeader(const Cipher& cipher);
// "\tEncrypting in chunks of 256 bytes: ", and the rest of that line.
std::string SpeedLineStart(size_t size);
std::string SpeedLineEnd(const SpeedResult& result);

std::string SpeedJson(std::string_view device, const Cipher& cipher, uint32_t depth,
                      std::span<const SpeedResult> results);

}  // namespace sealane::cli
