// SPDX-License-Identifier: Apache-2.0
//
// Runs one fuzz target over every file of the folders named on the command line, so that a corpus
// is replayed by an ordinary test with any compiler. An empty corpus is a failure: it would test
// nothing.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

// A crash in the target names no file, so each name is printed before its file is run.
bool ReplayFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
  if (file.bad() || !file.is_open()) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  const std::vector<uint8_t> input(text.begin(), text.end());
  std::printf("%s (%zu bytes)\n", path.c_str(), input.size());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  size_t num_replayed = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(argv[i], error)) {
      if (!entry.is_regular_file()) continue;
      if (!ReplayFile(entry.path())) return 1;
      ++num_replayed;
    }
  }
  if (num_replayed == 0) {
    std::fprintf(stderr, "no input found: the corpus is empty or missing\n");
    return 1;
  }
  std::printf("%zu inputs replayed\n", num_replayed);
  return 0;
}
