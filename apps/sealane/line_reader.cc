// SPDX-License-Identifier: Apache-2.0
#include "line_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace sealane::cli {
namespace {

constexpr size_t kChunkLen = size_t{64} << 10;

}  // namespace

CommandResult<LineReader::Outcome> LineReader::Next(std::string& line) {
  line.clear();
  bool any = false;
  bool too_long = false;
  while (true) {
    if (begin_ == chunk_.size()) {
      SL_ASSIGN_OR_RETURN(const bool more, Fill());
      if (!more && !any) return Outcome::kEnd;
      if (!more) break;
    }
    any = true;
    const std::string_view rest = std::string_view(chunk_).substr(begin_);
    const size_t end = rest.find('\n');
    const std::string_view piece = rest.substr(0, end);
    too_long = too_long || piece.size() > max_len_ - line.size();
    if (!too_long) line += piece;
    begin_ += std::min(rest.size(), piece.size() + 1);
    if (end != std::string_view::npos) break;
  }
  return too_long ? Outcome::kTooLong : Outcome::kLine;
}

CommandResult<bool> LineReader::Fill() {
  chunk_.resize(kChunkLen);
  begin_ = 0;
  ssize_t num = 0;
  do {
    num = read(fd_, chunk_.data(), chunk_.size());
  } while (num < 0 && errno == EINTR);
  if (num < 0) {
    return Failed(
        fmt::format("cannot read standard input: {}", std::system_category().message(errno)));
  }
  chunk_.resize(static_cast<size_t>(num));
  return num > 0;
}

}  // namespace sealane::cli
