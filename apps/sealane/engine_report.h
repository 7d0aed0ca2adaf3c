// SPDX-License-Identifier: Apache-2.0
//
// How `sealane bench engine` shows its figures: the tables of `cryptsetup benchmark`. Pure
// functions.
#pragma once

#include <span>
#include <string>

#include "engine_bench.h"

namespace sealane::cli {

// Said once.
std::string EngineHeader();

// A table for each variant: one result for each algorithm, otherwise at the same cell.
std::string EngineText(std::span<const EngineResult> algorithms);

// One object for all.
std::string EngineJson(std::span<const EngineResult> all);

}  // namespace sealane::cli
