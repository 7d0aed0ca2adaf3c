// SPDX-License-Identifier: Apache-2.0
//
// The body that all vector tests share: every vector of every source, in both directions, through
// one runner, and the number of vectors run against expected_counts.h. Uses GoogleTest's
// assertions.
#pragma once

#include <string>

#include "cipher_runner.h"

namespace sealane::vectors {

// The cache folder from the command line of the test.
const std::string& VectorCache();

// The word after it: the program that the test runs, empty if there is none.
const std::string& ProgramPath();

void RunAllVectors(CipherRunner& runner);

}  // namespace sealane::vectors
