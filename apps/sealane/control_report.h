// SPDX-License-Identifier: Apache-2.0
//
// How `sealane bench control` shows its figures. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "churn_bench.h"
#include "control_bench.h"

namespace sealane::cli {

// A table and a histogram for each design.
std::string ControlText(const ControlRounds& rounds);

std::string ChurnText(const ChurnResult& churn);

// One object for all numbers of workers. `socket_us`: see SocketRoundTripUs.
std::string ControlJson(std::span<const ControlRounds> all, const ChurnResult& churn,
                        std::optional<double> socket_us);

}  // namespace sealane::cli
