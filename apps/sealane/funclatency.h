// SPDX-License-Identifier: Apache-2.0
//
// A latency histogram as people know it from bcc's funclatency. A pure function.
#pragma once

#include <string>

#include "sealane/base/latency_histogram.h"

namespace sealane::cli {

// The layout of funclatency -u, without its first line: powers of two and stars.
std::string Funclatency(const LatencyHistogram& histogram);

}  // namespace sealane::cli
