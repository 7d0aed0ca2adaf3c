// SPDX-License-Identifier: Apache-2.0
//
// main() of the vector tests: TEST [GoogleTest options] CACHE_DIR [PROGRAM]
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "run_vectors.h"

namespace sealane::vectors {
namespace {

std::string& Cache() {
  static std::string cache;
  return cache;
}

std::string& Program() {
  static std::string program;
  return program;
}

}  // namespace

const std::string& VectorCache() { return Cache(); }
const std::string& ProgramPath() { return Program(); }

}  // namespace sealane::vectors

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CACHE_DIR (filled by tools/fetch_vectors.sh)\n", argv[0]);
    return 2;
  }
  sealane::vectors::Cache() = argv[1];
  if (argc > 2) sealane::vectors::Program() = argv[2];
  return RUN_ALL_TESTS();
}
