// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "evp_runner.h"
#include "run_vectors.h"

namespace sealane::vectors {
namespace {

TEST(Evp, AllVectors_AreAnsweredRight) {
  EvpRunner runner;
  RunAllVectors(runner);
}

}  // namespace
}  // namespace sealane::vectors
