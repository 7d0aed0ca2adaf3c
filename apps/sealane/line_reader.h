// SPDX-License-Identifier: Apache-2.0
//
// LineReader: lines of any length up to a limit, from a descriptor that it does not own. A longer
// line is skipped without being kept. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "command_result.h"

namespace sealane::cli {

class LineReader {
 public:
  enum class Outcome { kLine, kTooLong, kEnd };

  LineReader(int fd, size_t max_len) : fd_(fd), max_len_(max_len) {}

  // Fills `line` without its line feed; the last line may lack one. Fails when reading does.
  CommandResult<Outcome> Next(std::string& line);

 private:
  // Returns whether there was anything.
  CommandResult<bool> Fill();

  const int fd_;
  const size_t max_len_;  // bytes, without the line feed
  std::string chunk_;
  size_t begin_ = 0;  // what is left of chunk_
};

}  // namespace sealane::cli
