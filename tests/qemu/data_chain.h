// SPDX-License-Identifier: Apache-2.0
//
// From the shape of a data request to its chain. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenario.h"

namespace sealane::testing {

// Bytes that differ from their neighbours: what every key, IV and source here consists of.
std::vector<uint8_t> CountingBytes(size_t len);

// session_id, opcode and iv_len must be set.
ChainShape DataChain(const DataShape& data);

}  // namespace sealane::testing
