// SPDX-License-Identifier: Apache-2.0
//
// QueueLatencies: where the time of an EngineQueue's jobs went. A value; copied out under the
// queue's lock.
#pragma once

#include "sealane/base/latency_histogram.h"

namespace sealane::crypto {

struct QueueLatencies {
  LatencyHistogram wait;     // from the accepting Submit to the target
  LatencyHistogram service;  // from there to its end
  LatencyHistogram total;    // from the accepting Submit to OnDone
};

}  // namespace sealane::crypto
